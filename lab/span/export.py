"""Writes the trained model as an ONNX file of int8 weights, with its tokenizer and configuration.

The graph is that of the source model: its int8 weights are replaced by the trained ones, quantised
in the same manner (symmetric, one scale for each output), and the span head is appended in float32.
"""

import argparse
import json
import os
import pickle
import shutil

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import bert

COPIED = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
STATES = "last_hidden_state"


def quantised(weight):
    """Returns int8 values and one scale for each column."""
    scale = np.abs(weight).max(axis=0) / 127
    return np.rint(weight / scale).clip(-127, 127).astype(np.int8), scale.astype(np.float32)


def constants(learnt):
    """Returns the trained constants by their names in the graph of the source."""
    named = {}
    for index, layer in enumerate(learnt["layers"]):
        prefix = f"encoder.layer.{index}"
        for own, name in bert.LINEAR.items():
            values, scale = quantised(np.asarray(layer[own]["weight"]))
            named[f"{prefix}.{name}.w_quantized"] = values
            named[f"{prefix}.{name}.w_scale"] = scale
            named[f"{prefix}.{name}.bias_"] = np.asarray(layer[own]["bias"])
        for own, name in bert.NORMS.items():
            named[f"{prefix}.{name}.g"] = np.asarray(layer[own]["gain"])
            named[f"{prefix}.{name}.b"] = np.asarray(layer[own]["shift"])
    return named


def with_head(model, head):
    """Appends the scores of start and end to the graph, in place of the states as its output."""
    graph = model.graph
    weight, bias = (np.asarray(head[name]) for name in ("weight", "bias"))
    for name, value in (
        ("head.weight", weight),
        ("head.bias", bias),
        ("head.halves", np.array([1, 1], np.int64)),
        ("head.last", np.array([2], np.int64)),
    ):
        graph.initializer.append(numpy_helper.from_array(value, name))
    graph.node.extend([
        helper.make_node("MatMul", [STATES, "head.weight"], ["head.product"]),
        helper.make_node("Add", ["head.product", "head.bias"], ["head.both"]),
        helper.make_node("Split", ["head.both", "head.halves"], ["head.start", "head.end"], axis=2),
        helper.make_node("Squeeze", ["head.start", "head.last"], ["start_logits"]),
        helper.make_node("Squeeze", ["head.end", "head.last"], ["end_logits"]),
    ])
    del graph.output[:]
    graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", "sequence"])
        for name in ("start_logits", "end_logits")
    )


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--model", required=True, help="folder of all-MiniLM-L6-v2")
    options.add_argument("--checkpoint", required=True)
    options.add_argument("--out", required=True, help="folder of the package")
    given = options.parse_args()
    with open(given.checkpoint, "rb") as file:
        steps, learnt, _ = pickle.load(file)
    model = onnx.load(f"{given.model}/onnx/model_quantized.onnx")
    trained = constants(learnt)
    for each in model.graph.initializer:
        if each.name in trained:
            each.CopyFrom(numpy_helper.from_array(trained.pop(each.name), each.name))
    if trained:
        raise ValueError(f"The graph has no constants {sorted(trained)}")
    with_head(model, learnt["head"])
    onnx.checker.check_model(model)
    os.makedirs(f"{given.out}/onnx", exist_ok=True)
    onnx.save(model, f"{given.out}/onnx/model_quantized.onnx")
    for name in COPIED:
        shutil.copyfile(f"{given.model}/{name}", f"{given.out}/{name}")
    with open(f"{given.model}/config.json", encoding="utf8") as file:
        config = json.load(file)
    config["architectures"] = ["BertForQuestionAnswering"]
    config.pop("_name_or_path", None)
    with open(f"{given.out}/config.json", "w", encoding="utf8") as file:
        file.write(json.dumps(config, indent=2) + "\n")
    print(f"{given.out}: weights after {steps} steps")


if __name__ == "__main__":
    main()
