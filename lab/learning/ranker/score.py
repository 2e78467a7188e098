"""Scores pools by the teacher or by a student, shard by shard; goes on where it was stopped.

Files take turns, so that any first part is of all of them. Pairs of a shard are sorted by length.
"""

import argparse
import itertools
import os
import time
from multiprocessing import get_context

import numpy as np

from pools import (PAIR, QUESTION, Pieces, Pools, check_digest, pair_length, padded, shard_path,
                   write_scores)

# Fastest of 1 to 64 for int8 in onnxruntime on one core: 98 pairs of 92 tokens a second.
BATCH = 8


def teacher_scorer(folder):
    """Runs the int8 ONNX file on one thread: two processes beat one of two threads."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    path = os.path.join(folder, "onnx", "model_quantized.onnx")
    session = onnxruntime.InferenceSession(path, options)

    def score(tokens, types, lengths):
        mask = (np.arange(tokens.shape[1])[None, :] < lengths[:, None]).astype(np.int64)
        given = {"input_ids": tokens, "token_type_ids": types % 2, "attention_mask": mask}
        return session.run(None, given)[0][:, 0]

    return score


def student_scorer(path):
    import torch

    from export import read_student

    torch.set_num_threads(1)
    model = read_student(path)

    @torch.inference_mode()
    def score(*batch):
        return model(*map(torch.from_numpy, batch)).numpy()

    return score


def score_shard(job):
    """Scores one range of pools and stores it; returns the number of pairs."""
    path, questions, candidates = job
    pairs = [
        (question, candidate)
        for question, texts in zip(STATE["pieces"].of(questions, QUESTION), candidates)
        for candidate in STATE["pieces"].of(texts, PAIR)
    ]
    order = np.argsort([pair_length(*pair) for pair in pairs], kind="stable")
    scores = np.zeros(len(pairs), np.float32)
    for at in range(0, len(order), BATCH):
        rows = order[at : at + BATCH]
        scores[rows] = STATE["score"](*padded([pairs[row] for row in rows]))
    write_scores(path, scores)
    return len(pairs)


STATE = {}


def begin(teacher, student):
    STATE["pieces"] = Pieces(teacher)
    STATE["score"] = student_scorer(student) if student else teacher_scorer(teacher)


def jobs(all_pools, folder, most):
    """Yields the shards that are missing among the first `most` pairs, in turns of files."""

    def of(pools):
        check_digest(pools, folder)
        for at, shard in enumerate(pools.shards()):
            path = shard_path(folder, pools.name, at)
            texts = [[pools.texts[text] for text in pools.candidates[pool]] for pool in shard]
            size = sum(map(len, texts))
            yield size, path, [pools.questions[pool] for pool in shard], texts

    done = 0
    turns = itertools.zip_longest(*(of(each) for each in all_pools))
    for shard in itertools.chain.from_iterable(turns):
        if shard is None:
            continue
        size, path, questions, texts = shard
        if done >= most:
            return
        done += size
        if not os.path.exists(path):
            yield path, questions, texts


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--teacher", required=True, help="folder of the teacher, or of its tokens")
    asked.add_argument("--student", help="file of a student, which scores in its place")
    asked.add_argument("--pools", required=True, nargs="+")
    asked.add_argument("--out", required=True, help="folder of the scores")
    asked.add_argument("--pairs", type=int, default=1 << 62, help="stops after so many")
    asked.add_argument("--processes", type=int, default=os.cpu_count())
    given = asked.parse_args()
    waiting = jobs([Pools(path) for path in given.pools], given.out, given.pairs)
    begun, done = time.time(), 0
    with get_context("spawn").Pool(given.processes, begin, (given.teacher, given.student)) as pool:
        for size in pool.imap_unordered(score_shard, waiting):
            done += size
            print(f"{done} pairs, {done / (time.time() - begun):.1f} a second", flush=True)
    print(f"scored {done} pairs in {time.time() - begun:.0f} s")


if __name__ == "__main__":
    main()
