"""Reads int8 ONNX weights of a BERT encoder into float32, and runs it with a span head in JAX.

Devlin et al., BERT, 2019, arXiv:1810.04805, section 4.2: start and end are the softmax over tokens
of the product of each token's state with one vector each.
"""

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import numpy_helper

LAYERS, HEADS, WIDTH = 6, 12, 384
NORM_EPSILON = 1e-12
MASKED = -1e9

# Names of the linear maps of a layer in the ONNX graph, and ours.
LINEAR = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "merge": "attention.output.dense",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
}
NORMS = {"norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}


def tensors(path):
    """Returns the constants of an ONNX graph by name."""
    graph = onnx.load(path).graph
    return {each.name: numpy_helper.to_array(each) for each in graph.initializer}


def dequantised(given, name):
    values, scale = given[f"{name}_quantized"], given[f"{name}_scale"]
    zero = given[f"{name}_zero_point"]
    return (values.astype(np.float32) - zero.astype(np.float32)) * scale


def embeddings(given):
    """Returns word, position and type vectors and the norm over their sum; all stay fixed."""
    return {
        "word": dequantised(given, "word"),
        "position": dequantised(given, "pos"),
        "type": dequantised(given, "typ"),
        "gain": given["embeddings.LayerNorm.g"],
        "shift": given["embeddings.LayerNorm.b"],
    }


def parameters(given, seed):
    """Returns the weights that are learnt: those of the layers, and a new head."""
    layers = []
    for index in range(LAYERS):
        prefix = f"encoder.layer.{index}"
        layer = {}
        for own, name in LINEAR.items():
            weight = dequantised(given, f"{prefix}.{name}.w")
            layer[own] = {"weight": weight, "bias": given[f"{prefix}.{name}.bias_"]}
        for own, name in NORMS.items():
            layer[own] = {
                "gain": given[f"{prefix}.{name}.g"],
                "shift": given[f"{prefix}.{name}.b"],
            }
        layers.append(layer)
    head = np.random.default_rng(seed).normal(0, 0.02, (WIDTH, 2)).astype(np.float32)
    head = {"weight": head, "bias": np.zeros(2, np.float32)}
    return jax.tree.map(jnp.asarray, {"layers": layers, "head": head})


def norm(values, gain, shift):
    centred = values - values.mean(-1, keepdims=True)
    variance = (centred * centred).mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt(variance + NORM_EPSILON) * gain + shift


def linear(given, values):
    return values @ given["weight"] + given["bias"]


def dropped(values, rate, key):
    if key is None or rate == 0:
        return values
    kept = jax.random.bernoulli(key, 1 - rate, values.shape)
    return jnp.where(kept, values / (1 - rate), 0)


def attention(layer, states, bias):
    rows, length, _ = states.shape

    def heads(name):
        split = linear(layer[name], states).reshape(rows, length, HEADS, WIDTH // HEADS)
        return split.transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2)
    weights = jax.nn.softmax(scores / np.sqrt(WIDTH // HEADS) + bias, axis=-1)
    mixed = (weights @ heads("value")).transpose(0, 2, 1, 3).reshape(rows, length, WIDTH)
    return linear(layer["merge"], mixed)


def logits(learnt, fixed, tokens, types, mask, key=None, rate=0.0):
    """Returns start and end logits, two arrays [rows, tokens]; padding has -1e9."""
    keys = [None] * (2 * LAYERS) if key is None else list(jax.random.split(key, 2 * LAYERS))
    places = fixed["position"][: tokens.shape[1]]
    states = fixed["word"][tokens] + places + fixed["type"][types]
    states = norm(states, fixed["gain"], fixed["shift"])
    bias = (1.0 - mask)[:, None, None, :] * MASKED
    for index, layer in enumerate(learnt["layers"]):
        mixed = dropped(attention(layer, states, bias), rate, keys[2 * index])
        states = norm(states + mixed, **layer["norm1"])
        wide = jax.nn.gelu(linear(layer["widen"], states), approximate=False)
        narrow = dropped(linear(layer["narrow"], wide), rate, keys[2 * index + 1])
        states = norm(states + narrow, **layer["norm2"])
    both = linear(learnt["head"], states) + (1.0 - mask)[:, :, None] * MASKED
    return both[:, :, 0], both[:, :, 1]
