// The loops of the sparse null-space search, compiled.
//
// Each function here has its definition in Python (`elimination.py`, `windows.py`, `exchange.py`, `lightest.py`); a property test holds the two together.
// Vectors are sparse and live over a field: the integers modulo a prime below 2^31, or the reals with a tolerance.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace nb = nanobind;
using std::vector;
using Index = int32_t;
using Count = int64_t;

// ---------------------------------------------------------------------------------------------------------------- fields

struct Prime {
    using Value = uint64_t;
    uint64_t modulus, magic;  // magic = floor(2^64 / modulus), for Barrett's division
    explicit Prime(uint64_t m) : modulus(m), magic(~uint64_t{0} / m) {}

    Value reduce(uint64_t a) const {
        const uint64_t q = static_cast<uint64_t>((static_cast<unsigned __int128>(a) * magic) >> 64);
        uint64_t r = a - q * modulus;
        while (r >= modulus) r -= modulus;
        return r;
    }
    Value multiply(Value a, Value b) const { return reduce(a * b); }
    Value negate(Value a) const { return a ? modulus - a : 0; }
    Value combine(Value a, Value t, Value b) const { return reduce(a + t * b); }  // a + t b
    Value one() const { return 1; }
    Value invert(Value a) const {
        int64_t r0 = static_cast<int64_t>(modulus), r1 = static_cast<int64_t>(a), s0 = 0, s1 = 1;
        while (r1) {
            const int64_t q = r0 / r1, r = r0 - q * r1, s = s0 - q * s1;
            r0 = r1; r1 = r; s0 = s1; s1 = s;
        }
        return static_cast<Value>(s0 < 0 ? s0 + static_cast<int64_t>(modulus) : s0);
    }
    double size(Value a) const { return a ? 1.0 : 0.0; }
    bool same(Value a, Value b) const { return a == b; }
    double floor_of(double) const { return 0.5; }  // a residue is nonzero or it is not
    bool stable(double, double) const { return true; }
};

struct Real {
    using Value = double;
    double tol;
    explicit Real(double t) : tol(t) {}

    Value multiply(Value a, Value b) const { return a * b; }
    Value negate(Value a) const { return -a; }
    Value combine(Value a, Value t, Value b) const {
        const double c = t * b, s = a + c;
        return std::fabs(s) <= tol * std::max(std::fabs(a), std::fabs(c)) ? 0.0 : s;
    }
    Value one() const { return 1.0; }
    Value invert(Value a) const { return 1.0 / a; }
    double size(Value a) const { return std::fabs(a); }
    bool same(Value a, Value b) const { return std::fabs(a - b) <= tol * std::max(std::fabs(a), std::fabs(b)); }
    double floor_of(double scale) const { return tol * scale; }
    bool stable(double size, double largest) const { return size >= 0.1 * largest; }
};

// -------------------------------------------------------------------------------------------------------- sparse vectors

template <class F> struct Vec {
    vector<Index> at;
    vector<typename F::Value> value;
    Count weight = 0;
};
template <class F> using Family = vector<Vec<F>>;

template <class F> Count weigh(const Vec<F>& v, const Count* weight) {
    Count total = 0;
    for (Index j : v.at) total += weight[j];
    return total;
}

// ----------------------------------------------------------------------------------------------------------- elimination

// Left-looking elimination of columns in a given order. A column that reduces to nothing closes a circuit with the
// columns taken before it; any other becomes part of the basis, with a pivot in its rarest row.
template <class F> class Elimination {
    using Value = typename F::Value;
    struct Entry { Index at; Value value; };

    const F& f;
    const Family<F>& columns;
    const vector<Index>& degree;
    vector<vector<Entry>> lower, upper;
    vector<Value> pivot_inverse;
    vector<Index> pivot_row, pivot_of_row;
    vector<Value> work, coefficient;
    vector<char> marked, queued;
    vector<Index> touched, open;

  public:
    vector<Index> basis, free;
    Family<F> circuits;

    Elimination(const F& field, const Family<F>& cols, Index rows, const vector<Index>& row_degree)
        : f(field), columns(cols), degree(row_degree), pivot_of_row(rows, -1), work(rows, Value{}), marked(rows, 0) {}

    void clear() {
        for (Index r : pivot_row) pivot_of_row[r] = -1;
        lower.clear(); upper.clear(); pivot_inverse.clear(); pivot_row.clear();
        basis.clear(); free.clear(); circuits.clear();
    }

    void add(Index j, bool want_circuit) {
        vector<Entry> used;
        const double scale = reduce(j, used);
        const Index row = choose(scale);
        if (row >= 0) extend(j, row, std::move(used), f.floor_of(scale));
        else {
            free.push_back(j);
            if (want_circuit) circuits.push_back(close(j, used));
        }
        for (Index r : touched) { marked[r] = 0; work[r] = Value{}; }
    }

  private:
    using Earliest = std::priority_queue<Index, vector<Index>, std::greater<Index>>;

    void touch(Index r, Earliest& next) {
        if (marked[r]) return;
        marked[r] = 1;
        touched.push_back(r);
        if (pivot_of_row[r] >= 0) next.push(pivot_of_row[r]);
        else open.push_back(r);
    }

    double reduce(Index j, vector<Entry>& used) {
        Earliest next;
        touched.clear(); open.clear();
        double scale = 0;
        const auto& column = columns[j];
        for (size_t k = 0; k < column.at.size(); ++k) {
            work[column.at[k]] = column.value[k];
            scale = std::max(scale, f.size(column.value[k]));
            touch(column.at[k], next);
        }
        while (!next.empty()) {
            const Index q = next.top();
            next.pop();
            const Value factor = work[pivot_row[q]];
            if (f.size(factor) <= f.floor_of(scale)) continue;
            used.push_back({q, factor});
            scale = std::max(scale, f.size(factor));
            const Value minus = f.negate(factor);
            for (const Entry& e : lower[q]) {
                touch(e.at, next);
                work[e.at] = f.combine(work[e.at], minus, e.value);
            }
        }
        return scale;
    }

    Index choose(double scale) const {
        double largest = 0;
        for (Index r : open) largest = std::max(largest, f.size(work[r]));
        if (largest <= f.floor_of(scale)) return -1;
        Index best = -1;
        for (Index r : open) {
            if (f.size(work[r]) <= f.floor_of(scale) || !f.stable(f.size(work[r]), largest)) continue;
            if (best < 0 || std::make_pair(degree[r], r) < std::make_pair(degree[best], best)) best = r;
        }
        return best;
    }

    void extend(Index j, Index row, vector<Entry> used, double floor) {
        const Value inverse = f.invert(work[row]);
        vector<Entry> column;
        for (Index r : open)
            if (f.size(work[r]) > floor) column.push_back({r, r == row ? f.one() : f.multiply(work[r], inverse)});
        pivot_of_row[row] = static_cast<Index>(basis.size());
        pivot_row.push_back(row);
        basis.push_back(j);
        pivot_inverse.push_back(inverse);
        lower.push_back(std::move(column));
        upper.push_back(std::move(used));
        if (coefficient.size() < basis.size()) { coefficient.resize(basis.size() * 2, Value{}); queued.resize(basis.size() * 2, 0); }
    }

    Vec<F> close(Index j, const vector<Entry>& used) {
        std::priority_queue<Index> next;
        vector<std::pair<Index, Value>> found{{j, f.negate(f.one())}};
        for (const Entry& e : used) { coefficient[e.at] = e.value; queued[e.at] = 1; next.push(e.at); }
        double scale = 1;
        while (!next.empty()) {
            const Index q = next.top();
            next.pop();
            queued[q] = 0;
            const Value c = f.multiply(coefficient[q], pivot_inverse[q]);
            coefficient[q] = Value{};
            if (f.size(c) <= f.floor_of(scale)) continue;
            scale = std::max(scale, f.size(c));
            found.push_back({basis[q], c});
            const Value minus = f.negate(c);
            for (const Entry& e : upper[q]) {
                if (!queued[e.at]) { queued[e.at] = 1; next.push(e.at); }
                coefficient[e.at] = f.combine(coefficient[e.at], minus, e.value);
            }
        }
        std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        Vec<F> out;
        for (const auto& e : found)
            if (f.size(e.second) > f.floor_of(scale)) { out.at.push_back(e.first); out.value.push_back(e.second); }
        return out;
    }
};

inline vector<Index> degrees(Index rows, const Index* at, size_t n) {
    vector<Index> d(rows, 0);
    for (size_t k = 0; k < n; ++k) ++d[at[k]];
    return d;
}

// --------------------------------------------------------------------------------------------------------------- windows

// Columns in the order in which they close in upon a root: next comes the column with the fewest rows not yet touched.
class Growth {
    const vector<vector<Index>>& row_columns;
    const vector<Index>& length;
    const Count* weight;
    using Key = std::tuple<Index, Count, Index>;
    vector<Index> uncovered, seen_list, covered_list;
    vector<char> covered, used, seen;

  public:
    Growth(const vector<vector<Index>>& rc, const vector<Index>& len, const Count* w)
        : row_columns(rc), length(len), weight(w), uncovered(len.size(), 0), covered(rc.size(), 0), used(len.size(), 0),
          seen(len.size(), 0) {}

    template <class F> vector<Index> around(Index root, size_t width, const Family<F>& columns) {
        vector<Index> order;
        std::priority_queue<Key, vector<Key>, std::greater<Key>> next;
        auto take = [&](Index j) {
            used[j] = 1;
            order.push_back(j);
            for (Index r : columns[j].at) {
                if (covered[r]) continue;
                covered[r] = 1;
                covered_list.push_back(r);
                for (Index c : row_columns[r]) {
                    if (used[c]) continue;
                    if (!seen[c]) { seen[c] = 1; seen_list.push_back(c); uncovered[c] = length[c]; }
                    next.emplace(--uncovered[c], weight[c], c);
                }
            }
        };
        take(root);
        while (order.size() < width && !next.empty()) {
            const Key key = next.top();
            next.pop();
            const Index j = std::get<2>(key);
            if (!used[j] && std::get<0>(key) == uncovered[j]) take(j);
        }
        for (Index j : order) used[j] = 0;
        for (Index j : seen_list) seen[j] = 0;
        for (Index r : covered_list) covered[r] = 0;
        seen_list.clear(); covered_list.clear();
        return order;
    }
};

inline uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// Asks Python now and then whether to stop; the interpreter is entered for nothing else.
class Stop {
    nb::callable ask;
    Count every, left;
    bool stopped = false;

  public:
    Stop(nb::callable question, Count pause) : ask(std::move(question)), every(pause), left(pause) {}
    bool operator()() {
        if (stopped || --left > 0) return stopped;
        left = every;
        nb::gil_scoped_acquire held;
        return stopped = nb::cast<bool>(ask());
    }
};

template <class F>
Family<F> windows(const F& f, const Family<F>& columns, Index rows, const vector<Index>& degree, const Count* weight,
                  const Index* roots, size_t n_roots, size_t width, Count heaviest, Stop& stop) {
    vector<vector<Index>> row_columns(rows);
    vector<Index> length(columns.size());
    for (size_t j = 0; j < columns.size(); ++j) {
        length[j] = static_cast<Index>(columns[j].at.size());
        for (Index r : columns[j].at) row_columns[r].push_back(static_cast<Index>(j));
    }
    Growth growth(row_columns, length, weight);
    Elimination<F> elimination(f, columns, rows, degree);
    std::unordered_set<uint64_t> known;
    Family<F> pool;
    for (size_t k = 0; k < n_roots && !stop(); ++k) {
        for (Index j : growth.around(roots[k], width, columns)) elimination.add(j, true);
        for (auto& c : elimination.circuits) {
            uint64_t key = 0;
            for (Index j : c.at) key += mix(static_cast<uint64_t>(j));
            c.weight = weigh(c, weight);
            if (c.weight <= heaviest && known.insert(key).second) pool.push_back(std::move(c));
        }
        elimination.clear();
    }
    return pool;
}

// -------------------------------------------------------------------------------------------------------------- exchange

// Pairwise exchange: a vector u is replaced by u + t v, v another vector of the basis, while that makes it lighter.
template <class F> class Exchange {
    using Value = typename F::Value;
    const F& f;
    Family<F>& basis;
    const Count* weight;
    vector<vector<Index>> holders;  // coordinate -> vectors that use it
    vector<Value> dense;
    vector<char> present, queued;
    vector<Count> overlap;
    vector<Index> touched;
    std::queue<Index> todo;
    struct Ratio { Value value; Count weight; };
    Stop& stop;
    vector<Ratio> ratios;

  public:
    Count budget;

    Exchange(const F& field, Family<F>& b, const Count* w, size_t size, Count work, Stop& question)
        : f(field), basis(b), weight(w), holders(size), dense(size, Value{}), present(size, 0), queued(b.size(), 1),
          overlap(b.size(), 0), stop(question), budget(work) {
        vector<Index> order(b.size());
        for (size_t k = 0; k < b.size(); ++k) {
            order[k] = static_cast<Index>(k);
            basis[k].weight = weigh(basis[k], weight);
            for (Index j : basis[k].at) holders[j].push_back(static_cast<Index>(k));
        }
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index c) { return basis[a].weight > basis[c].weight; });
        for (Index k : order) todo.push(k);
    }

    void run() {
        while (!todo.empty() && budget > 0 && !stop()) {
            const Index u = todo.front();
            todo.pop();
            queued[u] = 0;
            while (step(u)) {}
        }
    }

  private:
    void meet(Index u) {
        touched.clear();
        for (Index j : basis[u].at)
            for (Index k : holders[j]) {
                if (k == u) continue;
                if (!overlap[k]) touched.push_back(k);
                overlap[k] += weight[j];
            }
        budget -= static_cast<Count>(touched.size());
    }

    // Heaviest set of common coordinates on which -u/v is one number: returns its weight and that number.
    std::pair<Count, Value> agree(Index v) {
        ratios.clear();
        const auto& b = basis[v];
        for (size_t k = 0; k < b.at.size(); ++k)
            if (present[b.at[k]])
                ratios.push_back({f.negate(f.multiply(dense[b.at[k]], f.invert(b.value[k]))), weight[b.at[k]]});
        budget -= static_cast<Count>(b.at.size());
        std::sort(ratios.begin(), ratios.end(), [](const Ratio& a, const Ratio& c) { return a.value < c.value; });
        Count best = 0;
        Value t{};
        for (size_t a = 0; a < ratios.size();) {
            size_t c = a;
            Count sum = 0;
            while (c < ratios.size() && f.same(ratios[a].value, ratios[c].value)) sum += ratios[c++].weight;
            if (sum > best) { best = sum; t = ratios[a].value; }
            a = c;
        }
        return {best, t};
    }

    bool step(Index u) {
        for (size_t k = 0; k < basis[u].at.size(); ++k) { dense[basis[u].at[k]] = basis[u].value[k]; present[basis[u].at[k]] = 1; }
        meet(u);
        Count gain = 0;
        Index partner = -1;
        Value factor{};
        for (Index v : touched) {
            const Count shared = overlap[v], most = 2 * shared - basis[v].weight;
            overlap[v] = 0;
            if (most < gain || most <= 0 || (most == gain && partner >= 0 && v > partner)) continue;
            const auto [agreed, t] = agree(v);
            const Count g = shared + agreed - basis[v].weight;
            if (g > gain || (g == gain && g > 0 && v < partner)) { gain = g; partner = v; factor = t; }
        }
        for (Index j : basis[u].at) present[j] = 0;
        if (partner < 0) return false;
        replace(u, factor, partner);
        return true;
    }

    void replace(Index u, Value t, Index v) {
        for (Index j : basis[u].at) drop(holders[j], u);
        basis[u] = sum(basis[u], t, basis[v]);
        basis[u].weight = weigh(basis[u], weight);
        for (Index j : basis[u].at) holders[j].push_back(u);
        meet(u);
        std::sort(touched.begin(), touched.end());
        for (Index k : touched) {
            if (2 * overlap[k] > basis[u].weight && !queued[k]) { queued[k] = 1; todo.push(k); }
            overlap[k] = 0;
        }
    }

    static void drop(vector<Index>& list, Index u) {
        auto it = std::find(list.begin(), list.end(), u);
        *it = list.back();
        list.pop_back();
    }

    Vec<F> sum(const Vec<F>& a, Value t, const Vec<F>& b) const {
        Vec<F> c;
        size_t x = 0, y = 0;
        auto put = [&](Index j, Value v) { if (f.size(v) > 0) { c.at.push_back(j); c.value.push_back(v); } };
        while (x < a.at.size() || y < b.at.size()) {
            if (y == b.at.size() || (x < a.at.size() && a.at[x] < b.at[y])) { put(a.at[x], a.value[x]); ++x; }
            else if (x == a.at.size() || b.at[y] < a.at[x]) { put(b.at[y], f.multiply(t, b.value[y])); ++y; }
            else { put(a.at[x], f.combine(a.value[x], t, b.value[y])); ++x; ++y; }
        }
        return c;
    }
};

// ------------------------------------------------------------------------------------------------------- lightest circuits

// All circuits level by level of weight, the independent ones kept: see `lightest.py`.
template <class F> class Lightest {
    const F& f;
    const Family<F>& columns;
    const Count* weight;
    vector<vector<Index>> row_columns;
    vector<Index> number, chosen, count;
    vector<char> shut;
    Family<F> seen;
    vector<Index> flat;
    Elimination<F> closing, span;
    size_t target;
    Count budget, limit = 0;
    Stop& stop;

  public:
    Family<F> kept;
    Count level = 0;

    Lightest(const F& field, const Family<F>& cols, Index rows, const vector<Index>& degree, const Count* w,
             const Index* free, size_t n_free, Count nodes, Stop& question)
        : f(field), columns(cols), weight(w), row_columns(rows), number(cols.size(), -1), count(rows, 0),
          shut(cols.size(), 0), flat(n_free, 0), closing(field, cols, rows, degree),
          span(field, seen, static_cast<Index>(n_free), flat), target(n_free), budget(nodes), stop(question) {
        for (size_t j = 0; j < cols.size(); ++j)
            for (Index r : cols[j].at) row_columns[r].push_back(static_cast<Index>(j));
        for (size_t k = 0; k < n_free; ++k) number[free[k]] = static_cast<Index>(k);
    }

    void run() {
        while (kept.size() < target) {
            ++limit;
            for (size_t j = 0; j < columns.size(); ++j) {
                if (weight[j] <= limit) with(static_cast<Index>(j), 0);
                shut[j] = 1;
            }
            std::fill(shut.begin(), shut.end(), 0);
            if (budget < 0) return;
            level = limit;
        }
    }

  private:
    void with(Index j, Count w) {
        chosen.push_back(j);
        shut[j] = 1;
        for (Index r : columns[j].at) ++count[r];
        descend(w + weight[j]);
        for (Index r : columns[j].at) --count[r];
        shut[j] = 0;
        chosen.pop_back();
    }

    void descend(Count w) {
        if (stop()) budget = 0;
        if (--budget < 0 || kept.size() == target) return;
        const Count room = limit - w;
        vector<Index> choices;
        size_t single = 0;
        if (!fewest(room, choices, single)) choices = closed(w, room);
        for (Index j : choices) {
            if (weight[j] < room || closes(j, single)) with(j, w);
            shut[j] = 1;
        }
        for (Index j : choices) shut[j] = 0;
    }

    bool fits(Index k, Count room) const { return !shut[k] && weight[k] <= room; }

    // The row with one entry and the fewest columns for a second; false if no row has one entry.
    bool fewest(Count room, vector<Index>& choices, size_t& single) const {
        Index best = -1;
        size_t least = ~size_t{0};
        for (Index j : chosen)
            for (Index r : columns[j].at) {
                if (count[r] != 1) continue;
                ++single;
                size_t n = 0;
                for (Index k : row_columns[r]) {
                    n += fits(k, room);
                    if (n >= least) break;
                }
                if (n < least) { least = n; best = r; }
                if (!least) return true;
            }
        if (best >= 0)
            for (Index k : row_columns[best])
                if (fits(k, room)) choices.push_back(k);
        return best >= 0;
    }

    bool closes(Index j, size_t single) const {
        size_t met = 0;
        for (Index r : columns[j].at) {
            if (count[r] == 0) return false;
            met += count[r] == 1;
        }
        return met == single;
    }

    vector<Index> closed(Count w, Count room) {
        for (Index j : chosen) closing.add(j, true);
        vector<Index> near;
        if (closing.free.empty()) {
            std::set<Index> found;
            for (Index j : chosen)
                for (Index r : columns[j].at)
                    for (Index k : row_columns[r])
                        if (fits(k, room)) found.insert(k);
            near.assign(found.begin(), found.end());
        } else if (w == limit && closing.circuits[0].at.size() == chosen.size()) keep(closing.circuits[0]);
        closing.clear();
        return near;
    }

    void keep(const Vec<F>& circuit) {
        Vec<F> part;
        for (size_t k = 0; k < circuit.at.size(); ++k)
            if (number[circuit.at[k]] >= 0) {
                part.at.push_back(number[circuit.at[k]]);
                part.value.push_back(circuit.value[k]);
            }
        seen.push_back(std::move(part));
        const size_t before = span.basis.size();
        span.add(static_cast<Index>(seen.size() - 1), false);
        if (span.basis.size() > before) kept.push_back(circuit);
        else seen.pop_back();
    }
};

// ---------------------------------------------------------------------------------------------------------------- python

template <class T> using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T> using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T> Out<T> give(vector<T>&& v) {
    auto* held = new vector<T>(std::move(v));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<vector<T>*>(p); });
    return Out<T>(held->data(), {held->size()}, owner);
}

template <class F> Family<F> read(const In<Count>& starts, const In<Index>& at, const In<typename F::Value>& value) {
    Family<F> out(starts.shape(0) - 1);
    for (size_t k = 0; k < out.size(); ++k) {
        out[k].at.assign(at.data() + starts.data()[k], at.data() + starts.data()[k + 1]);
        out[k].value.assign(value.data() + starts.data()[k], value.data() + starts.data()[k + 1]);
    }
    return out;
}

template <class F> using Parts = std::tuple<Out<Count>, Out<Index>, Out<typename F::Value>>;
template <class F> Parts<F> write(const Family<F>& family) {
    vector<Count> starts{0};
    vector<Index> at;
    vector<typename F::Value> value;
    for (const auto& v : family) {
        at.insert(at.end(), v.at.begin(), v.at.end());
        value.insert(value.end(), v.value.begin(), v.value.end());
        starts.push_back(static_cast<Count>(at.size()));
    }
    return {give(std::move(starts)), give(std::move(at)), give(std::move(value))};
}

template <class F, class P> void bind(nb::module_& m) {
    using V = typename F::Value;
    m.def("eliminate", [](P parameter, In<Count> starts, In<Index> at, In<V> value, Index rows, In<Index> order, bool circuits) {
        const F f(parameter);
        const auto columns = read<F>(starts, at, value);
        const auto degree = degrees(rows, at.data(), at.shape(0));
        Elimination<F> e(f, columns, rows, degree);
        {
            nb::gil_scoped_release release;
            for (size_t k = 0; k < order.shape(0); ++k) e.add(order.data()[k], circuits);
        }
        return std::make_tuple(give(std::move(e.basis)), give(std::move(e.free)), write<F>(e.circuits));
    });
    m.def("nullities", [](P parameter, In<Count> starts, In<Index> at, In<V> value, Index rows, In<Count> set_starts,
                          In<Index> sets) {
        const F f(parameter);
        const auto columns = read<F>(starts, at, value);
        const auto degree = degrees(rows, at.data(), at.shape(0));
        Elimination<F> e(f, columns, rows, degree);
        vector<Index> out;
        {
            nb::gil_scoped_release release;
            for (size_t k = 0; k + 1 < set_starts.shape(0); ++k) {
                for (Count s = set_starts.data()[k]; s < set_starts.data()[k + 1]; ++s) e.add(sets.data()[s], false);
                out.push_back(static_cast<Index>(e.free.size()));
                e.clear();
            }
        }
        return give(std::move(out));
    });
    m.def("windows", [](P parameter, In<Count> starts, In<Index> at, In<V> value, Index rows, In<Count> weight, In<Index> roots,
                        size_t width, Count heaviest, nb::callable question) {
        const F f(parameter);
        Stop stop(std::move(question), 8);
        const auto columns = read<F>(starts, at, value);
        const auto degree = degrees(rows, at.data(), at.shape(0));
        Family<F> pool;
        {
            nb::gil_scoped_release release;
            pool = windows<F>(f, columns, rows, degree, weight.data(), roots.data(), roots.shape(0), width, heaviest, stop);
        }
        return write<F>(pool);
    });
    m.def("lightest", [](P parameter, In<Count> starts, In<Index> at, In<V> value, Index rows, In<Count> weight,
                         In<Index> free, Count budget, nb::callable question) {
        const F f(parameter);
        Stop stop(std::move(question), 4096);
        const auto columns = read<F>(starts, at, value);
        const auto degree = degrees(rows, at.data(), at.shape(0));
        Lightest<F> search(f, columns, rows, degree, weight.data(), free.data(), free.shape(0), budget, stop);
        {
            nb::gil_scoped_release release;
            search.run();
        }
        return std::make_tuple(write<F>(search.kept), search.level);
    });
    m.def("exchange", [](P parameter, In<Count> starts, In<Index> at, In<V> value, In<Count> weight, Count budget, nb::callable question) {
        const F f(parameter);
        Stop stop(std::move(question), 64);
        auto basis = read<F>(starts, at, value);
        {
            nb::gil_scoped_release release;
            Exchange<F>(f, basis, weight.data(), weight.shape(0), budget, stop).run();
        }
        return write<F>(basis);
    });
}

NB_MODULE(_circuits, m) {
    m.doc() = "Compiled loops of the sparse null-space search";
    bind<Prime, uint64_t>(m);
    bind<Real, double>(m);
}
