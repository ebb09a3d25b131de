"""The pages as a reader sees them, in headless Chromium."""

from __future__ import annotations

import pytest

NAMES = ("gallery", "found", "album", "reproduced")


@pytest.fixture(scope="module")
def pages(gallery, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return {name: gallery[name]().write(folder / f"{name}.html") for name in NAMES}


@pytest.fixture
def visit(look, pages):
    return lambda name, *how: look(pages[name], *how)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("name", NAMES)
def test_page_is_quiet_and_fits(visit, pages, name, width, scheme):
    page = visit(name, width, scheme)
    assert page.heard == [pages[name].as_uri()]  # the page itself and nothing else
    assert page.evaluate("document.documentElement.scrollWidth") == width
    outside = """() => [...document.querySelectorAll('body *')].filter(one => {
        const box = one.getBoundingClientRect();
        return !one.closest('.scroll, pre, svg') && box.width > 0 && (box.left < -1 || box.right > innerWidth + 1);
    }).map(one => one.outerHTML.slice(0, 80))"""
    assert page.evaluate(outside) == []
    lines = """[...document.querySelectorAll('.card .value')].map(
        one => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))"""
    assert max(page.evaluate(lines)) < 1.5  # a key figure is never broken
    pictures = page.evaluate("[...document.images].map(one => one.complete && one.naturalWidth > 0)")
    assert all(pictures)
    assert pictures or name == "found"
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground[4:-1].split(","))) > 382) == (scheme == "light")


@pytest.mark.parametrize(("width", "seen"), [(400, "narrow"), (1400, "wide")])
def test_each_width_has_its_drawing_with_letters_large_enough(visit, width, seen):
    page = visit("found", width)
    shown = page.evaluate(
        "[...document.querySelectorAll('.figure svg')].filter(one => one.clientWidth).map(one => one.classList[0])"
    )
    assert shown == [seen] * 3
    heights = page.evaluate(
        "[...document.querySelectorAll('svg text')].map(one => one.getBoundingClientRect().height).filter(Boolean)"
    )
    assert min(heights) > 10


@pytest.mark.parametrize("width", [400, 1400])
def test_letters_of_a_drawing_stay_inside_it_and_apart(visit, width):
    faults = visit("gallery", width).evaluate("""() => {
        const faults = [];
        for (const svg of document.querySelectorAll('svg')) {
            const frame = svg.getBoundingClientRect();
            if (!frame.width) continue;
            const words = [...svg.querySelectorAll('text')].filter(one => one.textContent);
            const boxes = words.map(one => one.getBoundingClientRect());
            boxes.forEach((box, i) => {
                if (box.left < frame.left - 1 || box.right > frame.right + 1) faults.push(words[i].textContent);
                for (let j = 0; j < i; j++) {
                    const other = boxes[j];
                    const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
                    const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
                    if (across > 1 && down > 4) faults.push(words[j].textContent + ' / ' + words[i].textContent);
                }
            });
        }
        return faults;
    }""")
    assert faults == []


def test_wide_tables_scroll_by_themselves(visit):
    boxes = visit("gallery", 400).evaluate(
        "[...document.querySelectorAll('.scroll')].map(one => [one.scrollWidth, one.clientWidth])"
    )
    assert any(content > room for content, room in boxes)


def test_print_is_light_and_wide(visit):
    page = visit("found", 674, "dark", "print")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 33, 38)"
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    assert page.evaluate("getComputedStyle(document.querySelector('.narrow')).display") == "none"


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize(("name", "count"), [("album", 4 + 3 * 4), ("reproduced", 5 * 4 + 3 * 4)])
def test_faces_are_seen_in_their_proportions_with_both_ratios_below(visit, name, count, width):
    page = visit(name, width)
    boxes = page.evaluate("[...document.images].map(one => [one.clientWidth, one.clientHeight])")
    assert len(boxes) == count
    assert all(abs(high / wide - 48 / 42) < 0.02 and wide > 100 for wide, high in boxes)
    captions = page.locator(".pictures figcaption")
    told = [words for words in captions.all_inner_texts() if "ℓ¹/ℓ²" in words and "ℓ⁴/ℓ²" in words]
    assert len(told) == {"album": 4, "reproduced": 20}[name]
    assert min(captions.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")) > 12
