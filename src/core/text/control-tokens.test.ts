/** Tests that no control token of a known model survives in quoted text, and that prose does. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { withBrokenTokens } from './control-tokens.ts';

/** Control tokens and turns of chat templates, by family. */
const TOKENS: Readonly<Record<string, string>> = {
  ChatML: '<|im_start|> <|im_end|> <|im_sep|> <|endoftext|> <|endofprompt|> <|fim_middle|>',
  Llama:
    '<s> </s> <unk> [INST] [/INST] <<SYS>> <</SYS>> <|begin_of_text|> <|start_header_id|> <|eot_id|> <|eom_id|> <|python_tag|> <|reserved_special_token_0|> <|header_start|> <|eot|>',
  Mistral:
    '[SYSTEM_PROMPT] [/SYSTEM_PROMPT] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_CALLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CONTENT] [IMG] [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [THINK] [/THINK] [ARGS] [CALL_ID] [control_8] [MODEL_SETTINGS] [BEGIN_AUDIO] [REFERENCE_DOC_1]',
  Gemma:
    '<bos> <eos> <pad> <mask> <start_of_turn> <end_of_turn> <start_of_image> <end_of_image> <image_soft_token> <unused0> <unused99>',
  Qwen: '<think> </think> <tool_call> </tool_call> <tool_response> <|vision_start|> <|repo_name|> <|file_sep|> <tools>',
  DeepSeek:
    '<｜begin▁of▁sentence｜> <｜end▁of▁sentence｜> <｜User｜> <｜Assistant｜> <｜tool▁calls▁begin｜> <|EOT|>',
  Phi: '<|system|> <|user|> <|assistant|> <|end|> <|dummy_0|>',
  'gpt-oss': '<|start|> <|message|> <|channel|> <|return|> <|constrain|> <|call|>',
  GLM: '[gMASK] [sMASK] <sop> <eop> <|observation|> [MASK] <|begin_of_box|>',
  Command:
    '<BOS_TOKEN> <EOS_TOKEN> <PAD> <|START_OF_TURN_TOKEN|> <|CHATBOT_TOKEN|> <|END_RESPONSE|>',
  Exaone: '[|user|] [|assistant|] [|endofturn|] [|system|] [BOS]',
  MiniMax: ']~b] ]~!b[ [e~[',
  others:
    '<extra_id_0> <SPECIAL_10> <reserved_106> <TOKENS_UNUSED_1> <eoh> <eoa> <eod> <seed:bos> <seed:think> <fim_prefix> <fim-suffix> <gh_stars> <issue_start> <jupyter_code> <commit_before> <empty_output> <startoftext> <endoftext> <human> <bot> <image> <img> </img> <__media__> [CLS] [SEP] [PAD] [UNK] [unused12] <0x0A> <im_end> <s/> <|start_of_role|> <|fim▁begin|>',
  prompts: '<doc> </doc> <Question> <Answer>',
};

describe('control tokens', () => {
  for (const [family, list] of Object.entries(TOKENS))
    test(`of ${family} are broken, in place and between words`, () => {
      for (const token of list.split(' '))
        for (const text of [token, `word${token}word`, `${token}${token}`]) {
          const broken = withBrokenTokens(text);
          assert.ok(!broken.includes(token), `${text}: ${broken}`);
          assert.equal(broken.replaceAll(' ', ''), text.replaceAll(' ', ''));
        }
    });

  test('prose, code, citations and markup stay as they are', () => {
    for (const text of [
      'a < b, b > c, x <= y, x -> y, 1 <2',
      'see [1], [2, 3], [sic], [NOTE], [TODO] and [a link](x)',
      '<div> <p class="x"> </span> <br/> <my-element> <T> <K, V> <!-- note -->',
      '#include <unordered_map> and <string_view>, Map<string, number>',
      'a || b, x |> f, {| a |}, [|1; 2|], a[i]b[j]',
      'Wer war es? „Ja“ – 是的。 [图 1]',
      'list[0][1], $[a.b], [[a]]',
    ])
      assert.equal(withBrokenTokens(text), text);
  });

  test('any text keeps its characters, has no token and stays as it is a second time', () => {
    const pieces = ['<', '<|', '|>', '[', '/INST]', ']~b]', '/s>', '_', 'im_end', '｜', ' '];
    const any = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' })), { maxLength: 30 })
      .map(parts => parts.join(''));
    const tokens = Object.values(TOKENS).join(' ').split(' ');
    fc.assert(
      fc.property(any, text => {
        const broken = withBrokenTokens(text);
        assert.equal(broken.replaceAll(' ', ''), text.replaceAll(' ', ''));
        assert.ok(!broken.includes('<<'));
        for (const token of tokens)
          if (broken.includes(token)) assert.fail(`${token} in ${broken}`);
        assert.equal(withBrokenTokens(broken), broken);
      }),
    );
  });

  test('takes linear time', () => {
    for (const piece of ['<_', '[A_', '<', '[|', ']~', '<a_b', '<image_'])
      withBrokenTokens(piece.repeat(200_000));
  });
});
