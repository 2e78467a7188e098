/** What strategies share before they search: clauses, mentions, question types, slots. */
// Inside the room: draft-citations.ts, paragraphs.ts, passages-prompt.ts, reasoning-sentence.ts,
// thoughts.ts, conjunction.ts, json-fields.ts, metadata/catalogue-values.ts,
// metadata/extract-by-rules.ts, metadata/model.ts, metadata/none.ts, metadata/replayed.ts,
// metadata/rules.ts, metadata/values-of.ts, model-in-use.ts, sub-questions/, source-anchored.ts,
// source-restricted.ts
export { driftCues, frequentTerms, literalCues } from './cues.ts';
export { type DateMention, findDates } from './dates.ts';
export { type Lane, laneNaming, lanesOf } from './lanes.ts';
export { distinctNames, findMentions, type Mention } from './mentions.ts';
export { type DayRange, type DayRangeMention, findDayRanges } from './metadata/day-ranges.ts';
export {
  type ExtractedFilter,
  type Extraction,
  type MetadataCatalogue,
  type MetadataExtractor,
  metadataCatalogue,
  type NamedDays,
  unknownSourceOnly,
} from './metadata/extractor.ts';
export { extractorsWith, metadataExtractors } from './metadata/extractors.ts';
export { groundedFilter, metadataFilter, relaxations } from './metadata/metadata-filter.ts';
export { cleanedFilter, type RecordedFilters, readRecordedFilters } from './metadata/replayed.ts';
export {
  findSources,
  findUnknownSources,
  type SourceMention,
  sourceAliases,
  type UnknownMention,
} from './metadata/source-names.ts';
export { type DataPassage, dataRule, passageMarker, passagesAsData } from './passages-as-data.ts';
export {
  ClauseList,
  countWhitespaceWords,
  type PlannedQuery,
  type Planner,
  trimClause,
} from './planner.ts';
export { PLAN_PARAMETERS, planners } from './planners.ts';
export { asksYesOrNo, type PredictedType, predictQuestionType } from './question-type.ts';
export {
  answerOf,
  bracketedAnswer,
  INSUFFICIENT,
  SHORT_ANSWER_RULES,
  SHORT_ANSWER_SCHEMA,
  saysInsufficient,
} from './short-answer.ts';
export { findSlots, type Slot } from './slots.ts';
export { sourceNames } from './sources.ts';
export {
  type Answered,
  citationsOfSubAnswers,
  integrateSubAnswers,
  integrateSubContexts,
  type SubAnswer,
} from './sub-answers.ts';
export {
  type RecordedSubQuestion,
  type RecordedSubQuestions,
  readRecordedSubQuestions,
} from './sub-questions/recorded-sub-questions.ts';
