import { type LanguageTable, listed } from '../language.ts';

export const JAPANESE: LanguageTable = {
  code: 'ja',
  name: 'Japanese',
  stopWords: listed(`
    は が を に で と の も へ や か ね よ から まで より など だけ には では とは への での との からの について における によって として にて ために ため
    です ます でした ました でしょう でしょうか ですか ますか ください 下さい する した して すれば しますか します される された されて れる られる なる なった いる いた いて ある あった あり おく できる できます できますか
    どう どうすれば いい いいですか よい よいですか どのように どうやって どの どこ どれ いつ だれ 誰 何 なに なぜ どんな いくつ いくら なん
    こと もの それ これ この その あの ここ そこ また および または`),
  questionWords: [
    ['いつ', 'when'],
    ['何年', 'in which year'],
    ['どこ', 'where'],
    ['誰', 'who'],
    ['だれ', 'who'],
    ['なぜ', 'why'],
    ['いくつ', 'how many'],
    ['いくら', 'how much'],
    ['何人', 'how many'],
    ['どのように', 'how'],
    ['どうすれば', 'how'],
    ['どうやって', 'how'],
    ['どの', 'which'],
    ['どれ', 'which'],
    ['何', 'what'],
    ['なに', 'what'],
  ],
  dates: [
    /(?<!\p{N})(?<year>\d{4}) ?年 ?(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?日/gu,
    /(?<!\p{N})(?<year>\d{4}) ?年 ?(?<month>\d{1,2}) ?月/gu,
  ],
  months: [],
  decimalComma: false,
  capitalNouns: false,
  verdicts: ['はい', 'いいえ'],
  unspaced: true,
};
