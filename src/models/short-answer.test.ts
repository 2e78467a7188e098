/** Tests the rules of prompts for short answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortAnswerRules } from './short-answer.ts';

const speaksOfYes = (question: string): boolean => /"Yes" or "No"/.test(shortAnswerRules(question));

test('yes and no are named unless an interrogative asks', () => {
  for (const question of [
    'Who is the mother of the director of film Polish-Russian War?',
    'Please tell me which harbour is older, Vell or Tarn?',
    'After the report of October 7, how many boats had left?',
    'The hotel, built in 1908, was burnt in which year?',
    'Wer ist die Mutter des Kapitäns der Linnet?',
    'Wie viele Boote haben den Hafen von Vell verlassen?',
    '¿En qué año se hundió el barco de Tarn?',
    'Qui est le gardien du phare de Vell ?',
    'De quelle ville vient le gardien ?',
    'В каком году затонула лодка Тарна?',
    '哪个港口更古老?',
    '塔恩港的灯塔是谁建造的?',
    '谁写了《谁是英雄》?',
    'タルン港の灯台は誰が建てましたか?',
    'なぜ港は閉鎖されましたか?',
    '누가 등대를 지었습니까?',
    'Where was the keeper of Vell, who was born in 1908, buried?',
  ])
    assert.equal(speaksOfYes(question), false, question);
  for (const question of [
    'Are both directors from the same country?',
    'After the storm of 1987, did the pier open again?',
    'Name the keeper of the light.',
    'Ist der Hafen von Vell älter als der von Tarn?',
    '两位导演是同一个国家的吗?',
    'Le port de Vell est-il plus ancien que celui de Tarn ?',
    '',
    'When the pier opened in 1987, did the mayor attend?',
    'Where the river meets the sea, is there a lighthouse?',
    'Who was the mother of the keeper? Is she alive?',
    'What Women Want and Casino, were both released in 1995?',
    'Which Way Home and Sicko are both documentaries?',
    'Who Framed Roger Rabbit is older than Casino, yes or no?',
    '你知道谁是导演吗?',
    '两位导演是否知道为什么港口关闭?',
    '《谁是英雄》和《红海》是同一年的电影?',
    '港はいつも開いていますか?',
    '誰かが港を建てましたか。',
    '누가 등대를 지었는지 아십니까?',
    'Quand le port de Vell a ouvert, le maire était-il présent ?',
    'Celui qui garde le phare est-il de Tarn ?',
    '¿Sabe quién es el guardián del faro?',
    'Wer weiß, ob der Hafen offen ist?',
    'Когда порт открыли, был ли там мэр?',
    'Est-ce que le port de Vell est plus ancien ?',
    'Kennt der Wärter, der in Vell wohnt, das Schiff, welches in Tarn liegt?',
  ])
    assert.equal(speaksOfYes(question), true, question);
});
