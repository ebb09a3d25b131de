"""
Faces: the ways of taking four sparse directions, side by side.

    SPARSESPAN_DATA=FOLDER python -m benchmarks.faces

FOLDER holds faces/yaleb_cropped_core.npz and paper_faces/data_persons.mat; by default it is ../shared/data, and where
that is absent the synthetic faces are used.
"""

from __future__ import annotations

import time

from sparsespan.experiments.face_sources import LIGHTS, PERSONS, one_person, source_of, ten_persons
from sparsespan.experiments.face_study import WAYS, face_space, figures

from .side_by_side import table

COUNT = 4


def main() -> None:
    light, persons = source_of(LIGHTS), source_of(PERSONS)
    spaces = {
        f"one person under 64 lights, {light}": face_space(one_person(light), robust=True),
        f"ten persons, {persons}": face_space(ten_persons(persons)),
    }
    head = ["way", *(f"l1/l2 of {index}" for index in range(1, COUNT + 1)), "sum", "l4/l2", "CPU seconds"]
    for name, space in spaces.items():
        rows: list[list[object]] = []
        for way in WAYS.values():
            started = time.process_time()
            basis = way.search(space.subspace, COUNT, seed=0)
            took = time.process_time() - started
            found = figures(basis)
            spikes = " ".join(f"{fourth:.4f}" for fourth in found["l4"])
            rows.append([way.title, *(f"{norm:.2f}" for norm in found["l1"]), f"{basis.l1:.2f}", spikes, f"{took:.1f}"])
        print(f"\n{name}\n\n{table(head, rows)}")


if __name__ == "__main__":
    main()
