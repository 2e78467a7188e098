import { type LanguageTable, listed } from '../language.ts';

export const CHINESE: LanguageTable = {
  code: 'zh',
  name: 'Chinese',
  stopWords: listed(`
    如何 怎么样 怎么 怎样 怎麼樣 怎麼 怎樣 什么 什麼 甚麼 哪里 哪裡 哪儿 哪些 哪个 哪個 哪 谁 誰 多少 为什么 為什麼 为何 為何 是什么 是什麼 何时 何時 什么时候 什麼時候 哪一年
    一个 一個 让 讓 会 會 可以 能够 能夠 应该 應該 需要 怎么办 怎麼辦 请问 請問 是否 有没有 有沒有 我们 我們 你们 你們 他们 他們 它们 它們 这个 這個 那个 那個 这些 這些 那些 其中 以及 或者 并且 並且 因为 因為 所以 但是 如果 关于 關於 对于 對於 根据 根據
    的 地 得 了 吗 嗎 呢 吧 啊 是 在 和 与 與 及 或 把 被 将 將 我 你 您 他 她 它 这 這 那 也 都 就 才 从 從 到 以 于 於 并 之 其 该 該 时 時`),
  whole:
    '目的 目地 地方 地址 地图 地圖 地区 地區 本地 获得 獲得 取得 得分 了解 除了 为了 為了 存在 所在 在线 在線 现在 現在 位于 基于 基於 将来 將來 将军 其他 其它 时间 時間 时候 同时 同時 小时 小時 时区 時區 即时 及时 及格 以前 以后 以上 以下 达到 到达 找到 从而 和平 总和 求和 该死 之后 之前 之间 之一 于是 总是 还是'.split(
      ' ',
    ),
  questionWords: [
    ['什么时候', 'when'],
    ['什麼時候', 'when'],
    ['何时', 'when'],
    ['何時', 'when'],
    ['哪一年', 'in which year'],
    ['多少', 'how many'],
    ['为什么', 'why'],
    ['為什麼', 'why'],
    ['为何', 'why'],
    ['為何', 'why'],
    ['谁', 'who'],
    ['誰', 'who'],
    ['哪里', 'where'],
    ['哪裡', 'where'],
    ['哪儿', 'where'],
    ['哪个', 'which'],
    ['哪個', 'which'],
    ['哪些', 'which'],
    ['如何', 'how'],
    ['怎么', 'how'],
    ['怎麼', 'how'],
    ['怎样', 'how'],
    ['怎樣', 'how'],
    ['什么', 'what'],
    ['什麼', 'what'],
  ],
  dates: [
    /(?<!\p{N})(?<year>\d{4}) ?年 ?(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?[日号號]/gu,
    /(?<!\p{N})(?<year>\d{4}) ?年 ?(?<month>\d{1,2}) ?月/gu,
  ],
  months: [],
  decimalComma: false,
  capitalNouns: false,
  verdicts: ['是', '否'],
  unspaced: true,
};
