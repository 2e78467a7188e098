"""Distils a small ranker from the scores of a large one; goes on from its checkpoint.

The student learns the differences of the teacher's logits within a pool (Hofstätter and others,
2020, arXiv:2010.02666): each pair says something, where the softmax of a pool is nearly all on one.
Products are in bfloat16. The last tenth of the steps learns with the int8 rows that the file will
have.
"""

import argparse
import gc
import json
import os
import time

import numpy as np
import torch
import torch.distributed

from bert import first_layers, rounded
from export import read_learnt, write_learnt, write_student
from pools import PAIR, QUESTION, Pieces, Pools, pair_length, padded, read_scores, shard_path, write_whole

# Pools of a step, and candidates that are drawn of each: the teacher's first and others, anew in
# each epoch, so that more questions are seen in the same time.
STEP = 16
DRAWN = 16
# A pool of so many is never learnt from: these say how well a student orders what it has not seen.
VALIDATED = 50
WARM_UP = 0.05
ROUNDED = 0.1
DECAY = 0.01
CLIP = 1.0
# Pairs of like length that run together: less padding, and states that fill a cache.
GROUP = 32
# Multiples to which they are padded: PyTorch compiles its products anew for each shape.
LENGTHS = 16
# Seconds between checkpoints.
CHECKPOINT = 300
# Parts of a training after each of which validation is logged.
LOGGED = 5


class Example:
    """A pool: pieces of its question and candidates, and the teacher's scores."""

    def __init__(self, name, question, candidates, scores):
        self.name, self.question, self.candidates = name, question, candidates
        self.scores = scores


def examples(paths, folder, pieces):
    """Reads the pools whose shards are scored, in the order of the files."""
    found = []
    for path in paths:
        pools = Pools(path)
        texts = pieces.of(pools.texts, PAIR)
        questions = pieces.of(pools.questions, QUESTION)
        for at, shard in enumerate(pools.shards()):
            scored = shard_path(folder, pools.name, at)
            if not os.path.exists(scored):
                continue
            scores, place = read_scores(scored), 0
            for pool in shard:
                numbers = pools.candidates[pool]
                own = scores[place : place + len(numbers)]
                place += len(numbers)
                candidates = [texts[number] for number in numbers]
                found.append(Example(pools.name, questions[pool], candidates, own))
    return found


def logits_of(model, batch):
    """Returns the logits of each pool; pairs run in groups of like length."""
    pairs = [(each.question, candidate) for each in batch for candidate in each.candidates]
    order = np.argsort([pair_length(*pair) for pair in pairs], kind="stable")
    parts = [
        model(*map(torch.from_numpy, padded([pairs[row] for row in rows], LENGTHS)))
        for rows in np.array_split(order, -(-len(order) // GROUP))
    ]
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.from_numpy(order)] = torch.arange(len(order))
    return torch.cat(parts).float()[back].split([len(each.candidates) for each in batch])


def loss_of(model, batch):
    """Returns the mean over pools of the mean squared difference of margins.

    That is twice the variance of the gap between student and teacher.
    """
    pairs = zip(logits_of(model, batch), (torch.from_numpy(each.scores.copy()) for each in batch))
    return torch.stack([2 * (own - other).var(correction=0) for own, other in pairs]).mean()


def drawn(pool, random):
    first = int(pool.scores.argmax())
    others = [at for at in range(len(pool.candidates)) if at != first]
    kept = [first, *random.permutation(others)[: DRAWN - 1].astype(int)]
    return Example(pool.name, pool.question, [pool.candidates[at] for at in kept],
                   pool.scores[kept])


@torch.inference_mode()
def validation(model, kept):
    """Returns for each file how often the first of both agree, and the share of the first five.

    `shift` is what the teacher's scores are above the student's, on the mean.
    """
    sums, gaps = {}, []
    for at in range(0, len(kept), STEP):
        batch = kept[at : at + STEP]
        for each, logits in zip(batch, logits_of(model, batch)):
            own, other = np.argsort(-logits.numpy()), np.argsort(-each.scores)
            shared = len(set(own[:5]) & set(other[:5])) / min(5, len(own))
            sums.setdefault(each.name, []).append((own[0] == other[0], shared))
            gaps.append(float(each.scores.mean() - logits.mean()))
    table = {name: [round(float(x), 3) for x in np.mean(all, 0)] for name, all in sums.items()}
    return {"first_and_five": table, "shift": float(np.mean(gaps))}


def rate_at(step, steps, peak):
    """Rises linearly, then falls linearly to 0."""
    warm = max(1, int(WARM_UP * steps))
    return peak * min((step + 1) / warm, (steps - step) / max(1, steps - warm))


def order_of(count, steps, seed):
    """Returns the example of each place of each step: every one once before any comes again."""
    random = np.random.default_rng(seed)
    rounds = -(-steps * STEP // count)
    return np.concatenate([random.permutation(count) for _ in range(rounds)])[: steps * STEP]


def options():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--teacher", required=True, help="folder of the teacher")
    asked.add_argument("--pools", required=True, nargs="+")
    asked.add_argument("--scores", required=True, help="folder of the teacher's scores")
    asked.add_argument("--without", nargs="*", default=[], help="leaves out a domain: names of files or their beginnings")
    asked.add_argument("--out", required=True, help="folder of checkpoint, log and file")
    asked.add_argument("--layers", type=int, default=4)
    asked.add_argument("--begun", help="file `learnt.safetensors` of a training to go on from")
    asked.add_argument("--epochs", type=float, default=2.0)
    asked.add_argument("--rate", type=float, default=3e-4)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, default=os.cpu_count())
    return asked.parse_args()


def is_left_out(path, without):
    name = os.path.basename(path).removesuffix(".jsonl")
    return any(name == each or name.startswith(each + "-by-") for each in without)


class Training:
    def __init__(self, given):
        self.given = given
        os.makedirs(given.out, exist_ok=True)
        self.pieces = Pieces(given.teacher)
        self.paths = [path for path in given.pools if not is_left_out(path, given.without)]
        found = examples(self.paths, given.scores, self.pieces)
        self.kept = [each for at, each in enumerate(found) if at % VALIDATED == 0]
        self.learnt = [each for at, each in enumerate(found) if at % VALIDATED != 0]
        self.steps = max(1, int(given.epochs * len(self.learnt) / STEP))
        onnx = os.path.join(given.teacher, "onnx", "model_quantized.onnx")
        self.model = first_layers(onnx, given.layers, PAIR)
        if given.begun:
            read_learnt(given.begun, self.model)
        learnt = [each for each in self.model.parameters() if each.requires_grad]
        self.optimiser = torch.optim.AdamW(learnt, given.rate, weight_decay=DECAY)
        self.step, self.rank = 0, 0
        self.resume()

    @property
    def checkpoint(self):
        return os.path.join(self.given.out, "checkpoint.pt")

    def settings(self):
        return {**vars(self.given), "processes": 0, "out": "", "pools": sorted(self.paths),
                "learnt": len(self.learnt)}

    def resume(self):
        if not os.path.exists(self.checkpoint):
            return
        state = torch.load(self.checkpoint, weights_only=True)
        if state["settings"] != self.settings():
            raise SystemExit(f"{self.checkpoint} has other settings or pools: name another --out")
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step = state["step"]

    def save(self):
        if self.rank != 0:
            return
        state = {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict(),
                 "step": self.step, "settings": self.settings()}
        write_whole(self.checkpoint, lambda path: torch.save(state, path))

    def log(self, **fields):
        if self.rank != 0:
            return
        line = json.dumps({"step": self.step, "of": self.steps, **fields})
        with open(os.path.join(self.given.out, "log.jsonl"), "a") as file:
            file.write(line + "\n")
        print(line, flush=True)

    def run(self):
        """Learns in processes of one thread, each of its share of every step.

        A process with two threads would wait in each product while another program has a core.
        """
        others = self.given.processes - 1
        store = os.path.join(self.given.out, f"processes-{os.getpid()}")
        gc.freeze()
        for rank in range(1, others + 1):
            if os.fork() == 0:
                self.rank = rank
                break
        torch.distributed.init_process_group(
            "gloo", init_method=f"file://{os.path.abspath(store)}", rank=self.rank,
            world_size=others + 1)
        self.learn_all()
        torch.distributed.barrier()
        if self.rank == 0:
            self.export()

    def learn_all(self):
        pairs = sum(len(each.candidates) for each in self.learnt)
        self.log(pools=len(self.learnt), pairs=pairs, validated=len(self.kept))
        order = order_of(len(self.learnt), self.steps, self.given.seed)
        saved = begun = time.time()
        losses, read = [], 0
        while self.step < self.steps:
            random = np.random.default_rng((self.given.seed, self.step))
            places = order[self.step * STEP : (self.step + 1) * STEP]
            batch = [drawn(self.learnt[at], random) for at in places]
            losses.append(self.learn(batch))
            read += sum(len(each.candidates) for each in batch)
            self.step += 1
            if self.step % max(1, self.steps // LOGGED) == 0 or self.step == self.steps:
                rate = round(read / (time.time() - begun), 1)
                loss = round(float(np.mean(losses)), 4)
                if self.rank == 0:
                    self.log(loss=loss, pairs_a_second=rate, **validation(self.model, self.kept))
                losses = []
            if time.time() - saved > CHECKPOINT or self.step == self.steps:
                self.save()
                saved = time.time()

    def learn(self, batch):
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(self.step, self.steps, self.given.rate)
        self.optimiser.zero_grad()
        if self.step >= (1 - ROUNDED) * self.steps:
            with rounded(self.model):
                value = self.backward(batch)
        else:
            value = self.backward(batch)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimiser.step()
        return value

    def backward(self, batch):
        """Gives each weight the mean gradient of all processes; returns the loss of this one."""
        own = batch[self.rank :: self.given.processes]
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of(self.model, own)
        loss.backward()
        found = [each.grad for each in self.model.parameters() if each.grad is not None]
        flat = torch.cat([each.flatten() for each in found])
        torch.distributed.all_reduce(flat)
        parts = (flat / self.given.processes).split([each.numel() for each in found])
        for each, part in zip(found, parts):
            each.copy_(part.view_as(each))
        return float(loss.detach())

    def export(self):
        """Shifts the bias to the teacher's level, so that scores compare, and writes the file."""
        exact = validation(self.model, self.kept)
        with torch.no_grad():
            self.model.classifier.bias += exact["shift"]
        with rounded(self.model):
            self.log(exact=exact, rounded=validation(self.model, self.kept))
        names = [os.path.basename(path).removesuffix(".jsonl") for path in self.paths]
        provenance = {
            "name": "ranker",
            "teacher": os.path.basename(os.path.normpath(self.given.teacher)),
            "trainedOn": ", ".join(names),
            "pools": str(len(self.learnt)),
            "loss": "squared differences of margins",
            "epochs": f"{self.given.epochs:g}",
            "seed": str(self.given.seed),
        }
        path = os.path.join(self.given.out, "ranker.safetensors")
        vocabulary = self.pieces.vocabulary()
        write_whole(path, lambda part: write_student(part, self.model, vocabulary, provenance))
        learnt = os.path.join(self.given.out, "learnt.safetensors")
        write_whole(learnt, lambda part: write_learnt(part, self.model))


def main():
    torch.set_num_threads(1)
    Training(options()).run()


if __name__ == "__main__":
    main()
