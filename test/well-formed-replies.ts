/** Holds a valid reply of a language model for each role of the fixture corpus's prompts. */
export const WELL_FORMED_REPLIES: Readonly<Record<string, string>> = {
  decompose:
    '{"subqueries": ["Where is the Quill Works?", "Who measured the smoke of #1?", "Which winter was quiet in #1, and what did #2 say?"]}',
  subAnswer: '{"answer": "Tarn", "supported": true, "passages": [1]}',
  finalAnswer: '{"answer": "Tarn", "type": "inference", "evidenceIds": [1, 99]}',
  bridge: '{"targets": ["Osk Maren", "Harrow Point"]}',
  claim:
    '{"claim": "The lighthouse at Harrow Point was sold.", "target": "Harrow Point", "topic": "sale"}',
  verify: '{"consistent": true, "score": 0.4}',
  metadata: '{"source": {"$in": ["Notices", "Nowhere"]}}',
  judgeMultiHop: '{"is_multi_hop": true}',
  ner: '{"named_entities": ["Osk Maren", "Harrow Point", "Nobody at All"]}',
  factFilter:
    '{"fact": [["osk maren", "was given the Silver Prism in the town", "of vell"], ["nobody", "knows", "this at all"]]}',
  rewrite: '{"question": "Which winter was quiet in Tarn?"}',
  sufficiency: '{"sufficient": false}',
  summarise: '{"summary": "The Quill Works stands in Tarn."}',
  longAnswer: 'The lens grinder Osk Maren won the Silver Prism in the town of Vell.',
  shortAnswer: '{"answer": "Osk Maren"}',
  cotThink: '{"thought": "Find who won the Silver Prism."}',
  chunkFilter: '{"status": true}',
  extract: '{"info": "Osk Maren was given the Silver Prism. The Vell Observatory pays for it."}',
  thought: '{"thought": "The lens grinder Osk Maren won the Silver Prism.", "answer": "Osk Maren"}',
};
