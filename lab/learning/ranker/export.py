"""Writes a student as one safetensors file of int8 rows, and reads it.

The runtime of the package reads the same file; its form is described there.
"""

import argparse
import json

import numpy as np
import torch
from safetensors import safe_open
from safetensors.numpy import save_file

from bert import CrossEncoder, Shape, codes_of, is_matrix
from pools import PAIR, QUESTION

VOCABULARY = "vocabulary"
SCALE = "_scale"


def rows_of(weights):
    """Returns matrices as int8 rows with their scales, and vectors as they are."""
    tensors = {}
    for name, value in weights.items():
        if is_matrix(name, value):
            codes, scale = codes_of(name, value)
            tensors[name], tensors[name + SCALE] = codes.numpy(), scale.numpy()
        else:
            tensors[name] = value.float().contiguous().numpy()
    return tensors


def exact_of(tensors):
    return {
        name: torch.tensor(
            value if name + SCALE not in tensors else value * tensors[name + SCALE][:, None]
        ).float()
        for name, value in tensors.items()
        if name != VOCABULARY and not name.endswith(SCALE)
    }


def write_learnt(path, model):
    """Writes what a training changes, a third of the file of a student: for `train.py --begun`."""
    learnt = {name: value.data for name, value in model.named_parameters() if value.requires_grad}
    save_file(rows_of(learnt), path)


def read_learnt(path, model):
    """Gives a student of the same number of layers what another training learnt."""
    with safe_open(path, framework="np") as file:
        given = exact_of({name: file.get_tensor(name) for name in file.keys()})
    learnt = {name for name, value in model.named_parameters() if value.requires_grad}
    if given.keys() != learnt:
        raise SystemExit(f"{path} is of a student of another shape: give its --layers")
    model.load_state_dict(given, strict=False)


def write_student(path, model, vocabulary, provenance):
    """Provenance are texts by name."""
    tensors = {VOCABULARY: np.frombuffer("\n".join(vocabulary).encode(), np.uint8)}
    tensors |= rows_of(model.state_dict())
    metadata = {
        "format": "multihop-ranker",
        "version": "1",
        "heads": str(model.shape.heads),
        "maxTokens": str(PAIR),
        "questionTokens": str(QUESTION),
        **provenance,
    }
    save_file(tensors, path, metadata=metadata)


def read_student(path):
    """Reads int8 rows into float32."""
    with safe_open(path, framework="np") as file:
        heads = int(file.metadata()["heads"])
        given = {name: file.get_tensor(name) for name in file.keys()}
    state = exact_of(given)
    words, width = state["bert.embeddings.word_embeddings.weight"].shape
    positions = state["bert.embeddings.position_embeddings.weight"].shape[0]
    layers = sum(name.endswith("intermediate.dense.bias") for name in state)
    model = CrossEncoder(Shape(layers, width, heads, words, positions))
    model.load_state_dict(state)
    return model.eval()


def main():
    asked = argparse.ArgumentParser(description="Prints what a file of a student states of itself.")
    asked.add_argument("file")
    with safe_open(asked.parse_args().file, framework="np") as file:
        sizes = {name: list(file.get_slice(name).get_shape()) for name in file.keys()}
        print(json.dumps({"metadata": file.metadata(), "tensors": sizes}, indent=1))


if __name__ == "__main__":
    main()
