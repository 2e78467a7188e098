/**
 * Holds the style of the HTML report: one stylesheet, no script, light and dark by the setting of
 * the browser.
 */

/**
 * Okabe and Ito's palette, which colour-blind readers can tell apart, darkened for light paper and
 * lightened for dark.
 */
const LIGHT = [
  '#0072b2',
  '#d55e00',
  '#00805e',
  '#b3589a',
  '#9a6b00',
  '#2f7fb8',
  '#7a3ea8',
  '#5c5c5c',
];
const DARK = [
  '#58b0e6',
  '#ff9a52',
  '#3fcf9f',
  '#e9a0d0',
  '#e8c14a',
  '#9bd0ff',
  '#c39bf0',
  '#bdbdbd',
];

const variables = (palette: readonly string[]): string =>
  palette.map((colour, index) => `--c${index}:${colour}`).join(';');

/** Colours and figures: what a picture of its own needs. */
export const FIGURE_STYLE: string = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1d21;--soft:#5b616b;--rule:#d9dce1;--band:#f5f6f8;--accent:#0b5cad;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e8eaed;--soft:#a6acb6;--rule:#343941;--band:#1d2024;--accent:#7db8f0;${variables(DARK)}}}
.grid{stroke:var(--rule);stroke-width:1}
.base{stroke:var(--soft);stroke-width:1}
.tick{fill:var(--soft);font-size:12px}
.axis{fill:var(--ink);font-size:13px}
.line{fill:none;stroke:var(--s);stroke-width:2.2}
.d1 .line{stroke-dasharray:7 4}
.d2 .line{stroke-dasharray:2 3}
.dot,.mark,.bar{fill:var(--s)}
.d1 .bar{fill-opacity:.6}
.d2 .bar{fill-opacity:.35}
.mark{stroke:var(--paper);stroke-width:1.5}
.d1 .mark{stroke:var(--ink)}
.number{fill:var(--paper);font-size:11px;font-weight:650}
.tag{fill:var(--soft);font-size:10px}
.thread{stroke:var(--s);stroke-width:1}
.control{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 4}
${LIGHT.map((_, index) => `.s${index}{--s:var(--c${index})}`).join('\n')}
`;

export const PAGE_STYLE: string = `${FIGURE_STYLE}*{box-sizing:border-box}
body{margin:0 auto;max-width:84rem;padding:2rem 1.25rem 4rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.7rem;margin:0 0 .4rem;line-height:1.2}
h2{font-size:1.15rem;margin:2.4rem 0 .4rem}
p{margin:.2rem 0;max-width:70rem}
.note{color:var(--soft);font-size:.9rem}
.scroll{overflow-x:auto;margin-top:.6rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.86rem}
th,td{padding:.3rem .5rem;text-align:right;vertical-align:bottom;border-bottom:1px solid var(--rule)}
thead th{border-bottom:2px solid var(--soft);font-weight:600}
tbody th{font-weight:500}
tbody th,td{white-space:nowrap}
.left,tbody th{text-align:left}
tbody th,thead th:first-child{position:sticky;left:0;background:var(--paper)}
tbody tr:hover>*{background:var(--band)}
#overview th:nth-child(-n+5),#overview td:nth-child(-n+5){font-weight:650}
details{margin-top:1.6rem;border-top:1px solid var(--rule);padding-top:.6rem}
summary{cursor:pointer;font-weight:600;font-size:1.05rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1.6rem 2rem;margin-top:1rem}
figure{margin:0}
figcaption{font-size:.92rem;font-weight:600;margin-bottom:.2rem}
svg{width:100%;height:auto;display:block}
.key{list-style:none;margin:.4rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;font-size:.82rem}
.key li{display:flex;gap:.4rem;align-items:baseline}
.swatch{flex:none;min-width:1.25rem;padding:0 .2rem;border-radius:.65rem;text-align:center;font-size:.72rem;font-weight:650;line-height:1.25rem;background:var(--s);color:var(--paper)}
.swatch.d1{outline:2px solid var(--s);outline-offset:1px}
.swatch.d2{outline:2px dotted var(--s);outline-offset:1px}
pre{background:var(--band);padding:.8rem 1rem;overflow-x:auto;font-size:.82rem;white-space:pre-wrap;overflow-wrap:anywhere}
@media print{body{max-width:none}details{break-inside:avoid}}
`;
