"""Reads pools of candidates and their scores, and turns pairs into tokens.

A pair is "[CLS] question [SEP] candidate [SEP]": the question is cut at 64 word pieces, then the
candidate so that the pair has at most 160, as the runtime of the package does. Types are 0 in the
question and 1 behind it, and 2 and 3 where a piece stands in both.
"""

import hashlib
import json
import os

import numpy as np
from tokenizers import Tokenizer

PAIR = 160
QUESTION = 64
CLS, SEP = 101, 102
SCORE_UNITS = 256
# Pairs of a file that are scored and stored together, at least.
SHARD = 4096


class Pools:
    """The pools of a file; `starts[i]` is the number of the first pair of pool i."""

    def __init__(self, path):
        self.name = os.path.basename(path).removesuffix(".jsonl")
        self.texts, self.questions, self.candidates = [], [], []
        with open(path, "rb") as file:
            self.digest = hashlib.file_digest(file, "sha256").hexdigest()
        with open(path, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                if "text" in record:
                    self.texts.append(record["text"])
                else:
                    self.questions.append(record["question"])
                    self.candidates.append(record["candidates"])
        self.starts = np.cumsum([0] + [len(each) for each in self.candidates])

    def shards(self):
        """Yields ranges of pools with about `SHARD` pairs."""
        first = 0
        for pool in range(1, len(self.candidates) + 1):
            if self.starts[pool] - self.starts[first] >= SHARD or pool == len(self.candidates):
                yield range(first, pool)
                first = pool


class Pieces:
    """Word pieces of texts, each computed once."""

    def __init__(self, teacher):
        self.tokenizer = Tokenizer.from_file(os.path.join(teacher, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        # "[SEP]" in a text is a bracket and letters, as in the runtime of the package.
        self.tokenizer.encode_special_tokens = True

    def vocabulary(self):
        return [self.tokenizer.id_to_token(at) for at in range(self.tokenizer.get_vocab_size())]

    def of(self, texts, most):
        read = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [np.array(each.ids[:most], np.uint16) for each in read]


def pair_length(question, candidate):
    return min(PAIR, len(question) + len(candidate) + 3)


def padded(pairs, step=1):
    """Returns tokens, types and lengths of pairs (question pieces, candidate pieces).

    Rows have a multiple of `step` tokens.
    """
    lengths = np.array([pair_length(*pair) for pair in pairs], np.int64)
    tokens = np.zeros((len(pairs), -(-lengths.max() // step) * step), np.int64)
    types = np.zeros_like(tokens)
    for row, (question, candidate) in enumerate(pairs):
        second, end = len(question) + 2, lengths[row]
        tokens[row, 0], tokens[row, second - 1], tokens[row, end - 1] = CLS, SEP, SEP
        candidate = candidate[: end - 1 - second]
        tokens[row, 1 : second - 1] = question
        tokens[row, second : end - 1] = candidate
        types[row, 1 : second - 1] = 2 * np.isin(question, candidate)
        types[row, second:end] = 1
        types[row, second : end - 1] += 2 * np.isin(candidate, question)
    return tokens, types, lengths


def shard_path(folder, name, at):
    return os.path.join(folder, name, f"{at:05}.i16")


def write_scores(path, scores):
    """Writes logits of at most 127 as 16-bit numbers of 1/256: small enough to be kept in git."""
    write_whole(path, np.round(scores * SCORE_UNITS).astype("<i2").tofile)


def read_scores(path):
    return np.fromfile(path, "<i2").astype(np.float32) / SCORE_UNITS


def check_digest(pools, folder):
    """Refuses scores of another file of the same name."""
    path = os.path.join(folder, pools.name, "pools.sha256")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.exists(path):
        with open(path, "w") as file:
            file.write(pools.digest)
    with open(path) as file:
        if file.read() != pools.digest:
            raise SystemExit(f"{path} is of other pools: remove the folder to score them anew")


def write_whole(path, write):
    """Calls `write` with a path beside it, and puts the result in its place."""
    write(path + ".part")
    os.replace(path + ".part", path)
