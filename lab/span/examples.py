"""Makes training windows of token ids from questions with their evidence.

A window is [CLS] question [SEP] evidence [SEP]. Its targets are all places where an answer stands;
without one it is [CLS], which states that the window holds no answer.
"""

import json
import re

import numpy as np
from tokenizers import Tokenizer

CLS, SEP = 101, 102
QUESTION = 64  # Most tokens of a question.
LENGTHS = (128, 192, 256, 384)  # Windows of one length make a batch.
VERDICT = re.compile(r"^(?:yes|no)$", re.IGNORECASE)


class Encoder:
    """Encodes texts to token ids, and tells which tokens continue a word."""

    def __init__(self, path):
        self.tokenizer = Tokenizer.from_file(path)
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        vocabulary = self.tokenizer.get_vocab()
        self.inside = {at for word, at in vocabulary.items() if word.startswith("##")}

    def ids(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def places(self, tokens, answer):
        """Returns first and last index of each place where the answer stands as whole words."""
        length = len(answer)
        return [
            (at, at + length - 1)
            for at in range(len(tokens) - length + 1)
            if tokens[at : at + length] == answer
            and tokens[at] not in self.inside
            and (at + length == len(tokens) or tokens[at + length] not in self.inside)
        ]


class Question:
    """A question, its answers and its passages, as token ids."""

    def __init__(self, encoder, text, answers, passages):
        self.tokens = encoder.ids(text)[:QUESTION]
        self.answers = [ids for ids in (encoder.ids(answer) for answer in answers) if ids]
        self.passages = [
            (encoder.ids(title), [encoder.ids(sentence) for sentence in sentences])
            for title, sentences in passages
        ]


def sampled(encoder, path):
    """Returns the questions of `samples.ts` that have a span as answer."""
    questions = []
    with open(path, encoding="utf8") as lines:
        for line in lines:
            sample = json.loads(line)
            if any(VERDICT.match(answer) for answer in sample["answers"]):
                continue
            sentences = [[] for _ in sample["titles"]]
            for sentence in sample["sentences"]:
                sentences[sentence["part"]].append(sentence["text"])
            passages = list(zip(sample["titles"], sentences))
            questions.append(Question(encoder, sample["question"], sample["answers"], passages))
    return questions


def single_steps(encoder, path):
    """Returns the steps of questions in `gold_chains.jsonl`: questions of one passage each."""
    questions = []
    with open(path, encoding="utf8") as lines:
        for line in lines:
            chain = json.loads(line)
            passages = [(each["title"], [each["text"]]) for each in chain["gold"]]
            for text, answer in steps(chain):
                questions.append(Question(encoder, text, [answer], passages))
    return questions


def steps(chain):
    for subject, relation, value in chain.get("triples") or []:
        yield f"What is the {relation} of {subject}?", value
    answers = []
    for step in chain.get("sub_questions") or []:
        text = step.get("question") or ""
        for number, answer in enumerate(answers, 1):
            text = text.replace(f"#{number}", answer)
        subject, arrow, relation = text.partition(" >> ")
        answers.append(step.get("answer") or "")
        if answers[-1] and not VERDICT.match(answers[-1]):
            yield (f"What is the {relation} of {subject}?" if arrow else text), answers[-1]


def window(encoder, question, evidence, length, random):
    """Returns tokens, types and targets of the question over the evidence of a question."""
    room = length - 3 - len(question.tokens)
    pieces = [
        (part, place, ids)
        for part, (_, sentences) in enumerate(evidence.passages)
        for place, ids in enumerate(sentences)
    ]
    known = set(question.tokens)
    named = [known.issuperset(title) for title, _ in evidence.passages]
    holds = [any(encoder.places(ids, each) for each in question.answers) for *_, ids in pieces]
    for held, (*_, ids) in zip(holds, pieces):
        known.update(ids if held else [])
    # Stay rather: sentences of passages that the question names, first ones before others, and
    # sentences that share words with the question or with the answer's sentences.
    worth = [
        100 * held + 3 * named[part] / (1 + place) + len(known.intersection(ids)) / 8
        + random.uniform(0, 3)
        for held, (part, place, ids) in zip(holds, pieces)
    ]
    kept, used, parts = [], 0, set()
    for at in sorted(range(len(pieces)), key=lambda at: -worth[at]):
        part, _, ids = pieces[at]
        cost = len(ids) + (0 if part in parts else len(evidence.passages[part][0]))
        if kept and used + cost > room:
            continue
        kept.append(pieces[at])
        used += cost
        parts.add(part)
    tokens, shown = [], set()
    for part, _, ids in sorted(kept, key=lambda piece: piece[:2]):
        tokens += [] if part in shown else evidence.passages[part][0]
        shown.add(part)
        tokens += ids
    tokens = tokens[:room]
    spans = {place for each in question.answers for place in encoder.places(tokens, each)}
    before = len(question.tokens) + 2
    whole = [CLS, *question.tokens, SEP, *tokens, SEP]
    targets = [(start + before, end + before) for start, end in sorted(spans)] or [(0, 0)]
    return whole, before, targets


def batch(windows, length):
    """Returns arrays [rows, length]: tokens, types, mask, and where answers start and end."""
    shape = (len(windows), length)
    tokens, types = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    mask, starts, ends = (np.zeros(shape, np.float32) for _ in range(3))
    for row, (whole, before, targets) in enumerate(windows):
        tokens[row, : len(whole)] = whole
        types[row, before : len(whole)] = 1
        mask[row, : len(whole)] = 1
        for start, end in targets:
            starts[row, start] = 1
            ends[row, end] = 1
    return tokens, types, mask, starts, ends
