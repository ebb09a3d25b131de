from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the estimators need scikit-learn")

from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsespan.errors import InvalidInput
from sparsespan.estimators.robust_pca import RobustPCA
from sparsespan.subspace.robust import robust_pca


@parametrize_with_checks([RobustPCA(), RobustPCA(n_components=1, weight=0.5)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    low = rng.standard_normal((60, 3)) @ rng.standard_normal((3, 20))
    return low + np.where(rng.random(low.shape) < 0.03, 20.0, 0.0)


def test_is_the_function_seen_from_scikit_learn(data):
    model = RobustPCA(2, growth=1.1).fit(data)
    split = robust_pca(data, growth=1.1)
    np.testing.assert_array_equal(model.components_, split.Vt[:2])
    np.testing.assert_array_equal(model.sparse_, split.sparse)
    assert (model.n_components_, model.rank_, model.n_iter_) == (2, split.rank, split.iterations)
    assert model.weight_ == split.weight
    assert list(model.get_feature_names_out()) == ["robustpca0", "robustpca1"]


def test_transform_and_back_give_the_low_rank_part(data):
    model = RobustPCA(growth=1.1)
    model.fit(data)
    coordinates = model.transform(model.low_rank_)
    assert coordinates.shape == (60, model.rank_)
    np.testing.assert_allclose(model.inverse_transform(coordinates), model.low_rank_, atol=1e-10)


def test_works_in_a_pipeline(data):
    assert make_pipeline(StandardScaler(), RobustPCA(2)).fit_transform(data).shape == (60, 2)


def test_warns_when_not_converged(data):
    with pytest.warns(ConvergenceWarning, match="not converged: residual .* after 2 steps"):
        RobustPCA(max_iter=2).fit(data)


@pytest.mark.parametrize("bad", [0, -1, 1.5, "all"])
def test_component_counts_that_make_no_sense_are_refused(bad, data):
    with pytest.raises(InvalidInput, match=r"`n_components` must be a positive whole number or None; got"):
        RobustPCA(bad).fit(data)


def test_says_which_extra_is_missing():
    code = (
        "import sys; sys.modules['sklearn'] = None; sys.modules['sklearn.base'] = None\n"
        "from sparsespan.errors import MissingExtra\n"
        "try:\n    import sparsespan.estimators.robust_pca\n"
        "except MissingExtra as error:\n    print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert 'pip install "sparsespan[learn]"' in said
