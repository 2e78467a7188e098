import { type LanguageTable, listed } from '../language.ts';

export const KOREAN: LanguageTable = {
  code: 'ko',
  name: 'Korean',
  stopWords: listed(`
    가장 각 각각 같은 것 것은 것을 것이 그 그것 그리고 나 내 나는 내가 누가 누구 누구의 누구를 다른 다음 대해 대한 대하여 더 도 되나요 됩니까 되는 된 될 두 등 때 때문에 또는 또한 로 를 만 만약 모두 모든 몇 무슨 무엇 무엇이 무엇을 무엇인가요 무엇입니까
    및 방법 방법은 뭐 뭔가요 수 수도 아니면 안 어느 어디 어디에 어디에서 어디서 어떤 어떻게 언제 얼마 얼마나 없는 없나요 없습니까 에 에서 와 왜 우리 위해 위한 으로 은 는 을 의 이 이것 이런 인가요 입니까 있게 있나요 있는 있다 있습니까 있을까요
    있을 저 저는 제 제가 좀 즉 지 하고 하기 하나 하나요 하는 하려면 하면 한 할 합니까 해야 했나요 했습니까`),
  particles:
    '으로부터 에서부터 에서는 에서도 에게서 으로는 으로도 으로써 으로서 이라는 라는 까지 부터 에서 에게 에는 에도 으로 로서 로써 처럼 보다 마다 조차 밖에 이나 이란 한테 께서 하고 이며 이고 을 를 이 가 은 는 에 의 로 와 과 도 만 나 란'.split(
      ' ',
    ),
  questionWords: [
    ['몇 년', 'in which year'],
    ['언제', 'when'],
    ['어디', 'where'],
    ['어디에', 'where'],
    ['어디에서', 'where'],
    ['어디서', 'where'],
    ['누가', 'who'],
    ['누구', 'who'],
    ['누구의', 'whose'],
    ['왜', 'why'],
    ['몇', 'how many'],
    ['얼마나', 'how much'],
    ['얼마', 'how much'],
    ['어떻게', 'how'],
    ['어느', 'which'],
    ['어떤', 'which'],
    ['무엇', 'what'],
    ['무엇이', 'what'],
    ['무엇을', 'what'],
    ['무슨', 'what'],
  ],
  dates: [
    /(?<!\p{N})(?<year>\d{4})년 ?(?<month>\d{1,2})월 ?(?<day>\d{1,2})일/gu,
    /(?<!\p{N})(?<year>\d{4})년 ?(?<month>\d{1,2})월/gu,
  ],
  months: [],
  decimalComma: false,
  capitalNouns: false,
  verdicts: ['예', '아니요'],
  unspaced: false,
};
