"""A BERT cross-encoder in PyTorch: a student that begins as the first layers of a teacher.

Devlin et al., BERT, 2019, arXiv:1810.04805. Names of weights are those of
`BertForSequenceClassification(num_labels=1)`, which the runtime of the package reads. No dropout:
no pair is seen often enough to be learnt by heart.
"""

import math
from contextlib import contextmanager

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn

NORM_EPSILON = 1e-12
# Numbers of a head, in every BERT of Microsoft's MiniLM.
HEAD = 32
# Types of tokens: of the question, of the passage, and each where a piece stands in both.
TYPES = 4


class Shape:
    """Sizes of a model; `inner` is four times the width, as in every BERT."""

    def __init__(self, layers, width, heads, vocabulary, positions):
        self.layers, self.width, self.heads = layers, width, heads
        self.vocabulary, self.positions = vocabulary, positions
        self.inner = 4 * width


def module(**children):
    """Returns a module with named children: names of weights follow from it."""
    made = nn.Module()
    for name, child in children.items():
        made.add_module(name, child)
    return made


def norm(shape):
    return nn.LayerNorm(shape.width, eps=NORM_EPSILON)


class Layer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        width, self.heads = shape.width, shape.heads
        maps = {name: nn.Linear(width, width) for name in ("query", "key", "value")}
        merge = module(dense=nn.Linear(width, width), LayerNorm=norm(shape))
        self.attention = module(self=module(**maps), output=merge)
        self.intermediate = module(dense=nn.Linear(width, shape.inner))
        self.output = module(dense=nn.Linear(shape.inner, width), LayerNorm=norm(shape))

    def forward(self, states, mask, is_last):
        """The last layer computes the state of [CLS] alone."""
        rows, _, width = states.shape
        own, merge = getattr(self.attention, "self"), self.attention.output

        def heads(name, states):
            mapped = getattr(own, name)(states)
            return mapped.view(rows, -1, self.heads, width // self.heads).transpose(1, 2)

        key, value = heads("key", states), heads("value", states)
        states = states[:, :1] if is_last else states
        query = heads("query", states)
        # PyTorch's own attention takes twice as long for the gradients in bfloat16 on a CPU.
        scores = query @ key.transpose(-1, -2) / math.sqrt(key.shape[-1])
        weights = torch.softmax(scores.masked_fill(~mask, -1e4), -1)
        mixed = weights.to(value.dtype) @ value
        mixed = mixed.transpose(1, 2).reshape(rows, -1, width)
        states = merge.LayerNorm(states + merge.dense(mixed))
        wide = F.gelu(self.intermediate.dense(states))
        return self.output.LayerNorm(states + self.output.dense(wide))


class CrossEncoder(nn.Module):
    """Returns one logit a pair."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        embeddings = module(
            word_embeddings=nn.Embedding(shape.vocabulary, shape.width),
            position_embeddings=nn.Embedding(shape.positions, shape.width),
            token_type_embeddings=nn.Embedding(TYPES, shape.width),
            LayerNorm=norm(shape),
        )
        layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        pooler = module(dense=nn.Linear(shape.width, shape.width))
        self.bert = module(embeddings=embeddings, encoder=module(layer=layers), pooler=pooler)
        self.classifier = nn.Linear(shape.width, 1)

    def forward(self, tokens, types, lengths):
        """Tokens and types have one row a pair, padded; `lengths` counts the tokens of each."""
        places = torch.arange(tokens.shape[1])
        mask = (places[None, :] < lengths[:, None])[:, None, None, :]
        table = self.bert.embeddings
        states = table.LayerNorm(
            table.word_embeddings(tokens)
            + table.position_embeddings(places)
            + table.token_type_embeddings(types)
        )
        for layer in self.bert.encoder.layer:
            states = layer(states, mask, layer is self.bert.encoder.layer[-1])
        pooled = torch.tanh(self.bert.pooler.dense(states[:, 0]))
        return self.classifier(pooled)[:, 0]


def first_layers(path, layers, positions):
    """Returns the first layers of a teacher with its embeddings, pooler and classifier.

    `path` is an int8 ONNX file. Words and positions stay as they are: far more words are asked
    later than training shows.
    """
    graph = onnx.load(path).graph
    given = {each.name: numpy_helper.to_array(each) for each in graph.initializer}

    def exact(name):
        codes = given[f"{name}_quantized"].astype(np.float32)
        return (codes - given[f"{name}_zero_point"].astype(np.float32)) * given[f"{name}_scale"]

    state = {name: value for name, value in given.items() if value.dtype == np.float32}
    for node in graph.node:
        # The matrices of layers have numbers for names, their nodes have paths.
        if node.op_type == "MatMulInteger" and "/layer." in node.name:
            name = node.name.strip("/").rsplit("/", 1)[0].replace("/", ".")
            state[f"{name}.weight"] = exact(node.input[1].removesuffix("_quantized")).T
    for name in ("bert.pooler.dense.weight", "classifier.weight"):
        state[name] = exact(name).T
    table = "bert.embeddings.{}_embeddings.weight".format
    for name in map(table, ("word", "position", "token_type")):
        state[name] = exact(name)
    state[table("position")] = state[table("position")][:positions]
    state[table("token_type")] = np.tile(state[table("token_type")], (TYPES // 2, 1))
    words, width = state[table("word")].shape
    model = CrossEncoder(Shape(layers, width, width // HEAD, words, positions))
    model.load_state_dict({name: torch.tensor(state[name].copy()) for name in model.state_dict()})
    own = model.bert.embeddings
    for fixed in (own.word_embeddings, own.position_embeddings):
        fixed.weight.requires_grad_(False)
    return model


def is_matrix(name, value):
    """Tells which weights the file holds as int8 rows."""
    return value.ndim == 2 and name != "classifier.weight"


def codes_of(name, weight):
    """Returns int8 codes and the scale of each row.

    Codes of the maps of layers have 7 bits: the product of relaxed SIMD needs that of one side.
    """
    most = 63 if name.startswith("bert.encoder.") else 127
    scale = weight.abs().amax(1) / most
    codes = torch.round(weight / scale.clamp(min=1e-30)[:, None]).clamp(-most, most)
    return codes.to(torch.int8), scale


@contextmanager
def rounded(model):
    """Gives each matrix the values of its int8 rows, and its own ones back at the end.

    Gradients computed meanwhile are those of the rounded weights and change the exact ones: the
    straight-through estimator (Bengio and others, 2013, arXiv:1308.3432).
    """
    exact = {name: value for name, value in model.named_parameters() if is_matrix(name, value)}
    kept = {name: value.data for name, value in exact.items()}
    for name, value in exact.items():
        codes, scale = codes_of(name, value.data)
        value.data = codes.float() * scale[:, None]
    try:
        yield
    finally:
        for name, value in exact.items():
            value.data = kept[name]
