"""Trains the span model: MiniLM with a span head, on questions with their evidence.

Run again with the same options it goes on from its checkpoint. See README.md.
"""

import argparse
import os
import pickle
import time

os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)

import jax
import jax.numpy as jnp
import numpy as np
import optax

import bert
import examples

ROWS = 8
RATE, WARM_UP, DECAY, DROPOUT = 1.5e-4, 40, 0.01, 0.1
# Shares of windows by length: most are short, because time grows with length.
SHARES = {192: 0.6, 256: 0.3, 384: 0.1}
NULL = 0.15  # Share of windows with the evidence of another question.
FIRST = 0.32  # Share of steps, at the start, whose questions have one step each.
PAUSE = 600  # Seconds between checkpoints.


def losses(learnt, fixed, given, key):
    """Returns the mean negative log likelihood that start and end stand at any of the answers."""
    tokens, types, mask, starts, ends = given
    start, end = bert.logits(learnt, fixed, tokens, types, mask, key, DROPOUT)

    def missed(scores, right):
        among = jnp.where(right > 0, scores, bert.MASKED)
        return jax.nn.logsumexp(scores, 1) - jax.nn.logsumexp(among, 1)

    return (missed(start, starts) + missed(end, ends)).mean() / 2


def trainer(fixed, steps):
    rate = optax.warmup_cosine_decay_schedule(0, RATE, WARM_UP, steps, RATE / 50)
    optimizer = optax.chain(optax.clip_by_global_norm(1), optax.adamw(rate, weight_decay=DECAY))

    @jax.jit
    def step(learnt, state, given, key):
        loss, gradients = jax.value_and_grad(losses)(learnt, fixed, given, key)
        changes, state = optimizer.update(gradients, state, learnt)
        return optax.apply_updates(learnt, changes), state, loss

    return optimizer, step


class Draws:
    """Draws the batch of a step from its number alone, so that a run can be resumed."""

    def __init__(self, encoder, samples, chains, seed, steps):
        self.encoder, self.seed = encoder, seed
        self.whole = examples.sampled(encoder, samples)
        self.single = examples.single_steps(encoder, chains)
        self.first = int(FIRST * steps)

    def batch(self, step):
        random = np.random.default_rng([self.seed, step])
        if step < self.first:
            length, questions, at = 128, self.single, step
        else:
            length = int(random.choice(list(SHARES), p=list(SHARES.values())))
            questions, at = self.whole, step - self.first
        windows = [
            self.window(questions, at * ROWS + row, length, random) for row in range(ROWS)
        ]
        return examples.batch(windows, length)

    def window(self, questions, at, length, random):
        turn, place = divmod(at, len(questions))
        order = np.random.default_rng([self.seed, turn, len(questions)]).permutation(len(questions))
        question = questions[order[place]]
        other = questions[int(random.integers(len(questions)))]
        evidence = other if random.uniform() < NULL else question
        return examples.window(self.encoder, question, evidence, length, random)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--model", required=True, help="folder of all-MiniLM-L6-v2")
    options.add_argument("--samples", required=True, help="file written by samples.ts")
    options.add_argument("--chains", required=True, help="gold_chains.jsonl")
    options.add_argument("--steps", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--checkpoint", required=True)
    given = options.parse_args()
    jax.config.update("jax_default_prng_impl", "unsafe_rbg")
    encoder = examples.Encoder(f"{given.model}/tokenizer.json")
    source = bert.tensors(f"{given.model}/onnx/model_quantized.onnx")
    fixed = jax.tree.map(jnp.asarray, bert.embeddings(source))
    draws = Draws(encoder, given.samples, given.chains, given.seed, given.steps)
    print(f"{len(draws.whole)} questions, {len(draws.single)} single steps", flush=True)
    optimizer, step = trainer(fixed, given.steps)
    done, learnt = 0, bert.parameters(source, given.seed)
    state = optimizer.init(learnt)
    if os.path.exists(given.checkpoint):
        with open(given.checkpoint, "rb") as file:
            done, learnt, state = pickle.load(file)
    saved, recent = time.time(), []
    for at in range(done, given.steps):
        key = jax.random.fold_in(jax.random.key(given.seed), at)
        learnt, state, loss = step(learnt, state, draws.batch(at), key)
        recent.append(float(loss))
        last = at + 1 == given.steps
        if last or (at + 1) % 20 == 0:
            print(f"{at + 1} loss {np.mean(recent):.3f} cpu {time.process_time():.0f}s", flush=True)
            recent = []
        if last or time.time() - saved > PAUSE:
            save(given.checkpoint, (at + 1, learnt, state))
            saved = time.time()


def save(path, content):
    with open(f"{path}.new", "wb") as file:
        pickle.dump(jax.tree.map(np.asarray, content), file)
    os.replace(f"{path}.new", path)


if __name__ == "__main__":
    main()
