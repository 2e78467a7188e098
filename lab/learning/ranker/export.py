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


def write_student(path, model, vocabulary, provenance):
    """Provenance are texts by name."""
    tensors = {VOCABULARY: np.frombuffer("\n".join(vocabulary).encode(), np.uint8)}
    for name, value in model.state_dict().items():
        if is_matrix(name, value):
            codes, scale = codes_of(value)
            tensors[name], tensors[name + SCALE] = codes.numpy(), scale.numpy()
        else:
            tensors[name] = value.float().contiguous().numpy()
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
    state = {
        name: value if name + SCALE not in given else value * given[name + SCALE][:, None]
        for name, value in given.items()
        if name != VOCABULARY and not name.endswith(SCALE)
    }
    words, width = state["bert.embeddings.word_embeddings.weight"].shape
    positions = state["bert.embeddings.position_embeddings.weight"].shape[0]
    layers = sum(name.endswith("intermediate.dense.bias") for name in state)
    model = CrossEncoder(Shape(layers, width, heads, words, positions))
    model.load_state_dict({name: torch.tensor(value).float() for name, value in state.items()})
    return model.eval()


def main():
    asked = argparse.ArgumentParser(description="Prints what a file of a student states of itself.")
    asked.add_argument("file")
    with safe_open(asked.parse_args().file, framework="np") as file:
        sizes = {name: list(file.get_slice(name).get_shape()) for name in file.keys()}
        print(json.dumps({"metadata": file.metadata(), "tensors": sizes}, indent=1))


if __name__ == "__main__":
    main()
