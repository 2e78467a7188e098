"""Personalised PageRank by igraph, as HippoRAG calls it: FOLDER holds from, to and weights as raw
numbers and seeds.json; prints CPU and wall milliseconds and the first nodes of each set of seeds."""

import json
import sys
import time

import igraph
import numpy as np

folder, top = sys.argv[1], int(sys.argv[2])
sources = np.fromfile(f"{folder}/from", dtype=np.uint32)
targets = np.fromfile(f"{folder}/to", dtype=np.uint32)
weights = np.fromfile(f"{folder}/weights", dtype=np.float32)
with open(f"{folder}/seeds.json") as file:
    given = json.load(file)
graph = igraph.Graph(n=given["nodes"], edges=np.column_stack([sources, targets]), directed=False)
graph.es["weight"] = weights.astype(float)
walls, cpus, first = [], [], []
for seeds in given["seeds"]:
    wall, cpu = time.perf_counter(), time.process_time()
    reset = np.zeros(given["nodes"])
    for node, weight in seeds:
        reset[node] = weight
    scores = graph.personalized_pagerank(
        vertices=range(given["nodes"]),
        damping=0.5,
        directed=False,
        weights="weight",
        reset=reset,
        implementation="prpack",
    )
    order = np.argsort(-np.array(scores), kind="stable")[:top]
    walls.append(1000 * (time.perf_counter() - wall))
    cpus.append(1000 * (time.process_time() - cpu))
    first.append([int(node) for node in order])
print(json.dumps({"version": igraph.__version__, "walls": walls, "cpus": cpus, "first": first}))
