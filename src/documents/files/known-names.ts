/** Names of files that every project gives its plain texts, whatever stands behind them. */

const KNOWN =
  /^(?:readme|change[-_]?logs?|changes|news|history|todo|copyright|copying|licen[cs]e|authors|thanks|install|notice|credits|contributors|maintainers|bugs|faq|hacking|upgrad(?:e|ing)|release[-_]?notes)(?=\.|$)/i;
/** Such names whose first heading names a version, and not what the file is about. */
const OF_VERSIONS = /^(?:change[-_]?logs?|changes|news|history|release[-_]?notes)(?=\.|$)/i;
/** Extensions of sources, settings, data and pictures, which begin with such a name too. */
const NO_TEXT = new Set(
  `c h cc cpp cxx hpp cs go rs java kt js cjs mjs jsx ts cts mts tsx py pyi pyc pl pm rb php lua sh bash zsh fish ps1 bat
  cmd sql r m el vim css scss less svg xml xsl dtd json5 yaml yml toml ini conf cfg lock map png gif jpg jpeg webp ico bmp
  ps eps dvi bin exe dll so o a class jar zip tar tgz bz2 xz zst 7z iso db dat sqlite wasm woff woff2 ttf asc sig pem crt key`
    .trim()
    .split(/\s+/),
);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Tells whether a path without the extension of gzip names a plain text whatever its extension is:
 * `changelog.Debian`, `README.Bugs`, `NEWS.2024`.
 */
export function isKnownText(path: string): boolean {
  const name = nameOf(path.replaceAll('\\', '/'));
  const extension = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return KNOWN.test(name) && !NO_TEXT.has(extension);
}

/** Tells whether a file lists versions, so that its headings are no titles. */
export const listsVersions = (path: string): boolean =>
  OF_VERSIONS.test(nameOf(path.replaceAll('\\', '/')));

/** The first line of an entry of a Debian changelog: package, version, distributions; urgency. */
export const DEBIAN_ENTRY: RegExp =
  /^[a-z0-9][\w.+-]* \([^()\s]+\)(?: [\w.-]+)+;(?: [\w-]+=[\w.-]+,?)+$/;
