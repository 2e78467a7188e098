/**
 * Holds the style of the HTML report: one stylesheet, light and dark by the setting of the browser.
 */

/**
 * Okabe and Ito's palette, which colour-blind readers can tell apart, darkened for light paper and
 * lightened for dark.
 */
const LIGHT = [
  '#0072b2',
  '#b84f00',
  '#00805e',
  '#a84f90',
  '#9a6b00',
  '#2b76ab',
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

const QUESTIONS_STYLE: string = `
#q-form{display:flex;flex-wrap:wrap;gap:.6rem .9rem;align-items:end;margin:.8rem 0}
#q-form label{display:flex;flex-direction:column;gap:.15rem;font-size:.8rem;color:var(--soft);max-width:100%}
#q-form .wide{flex:1 1 18rem}
#q-form input,#q-form select,button{font:inherit;font-size:.92rem;color:var(--ink);background:var(--band);border:1px solid var(--soft);border-radius:.35rem;padding:.35rem .5rem;max-width:100%}
#q-form select{max-width:min(22rem,100%)}
button{cursor:pointer}
button:disabled,select:disabled{opacity:.55;cursor:default}
#q-count{font-weight:600;margin:.6rem 0}
#q-table{width:100%;table-layout:fixed;font-size:.9rem}
#q-table th,#q-table td{text-align:left;vertical-align:top;white-space:normal;overflow-wrap:anywhere;position:static}
#q-table thead th{vertical-align:bottom}
#q-table>thead th:first-child{width:4.2rem}
#q-table>thead th:nth-child(2){width:44%}
#q-table.two>thead th:nth-child(2){width:32%}
#q-table>thead th:nth-child(4),#q-table>thead th:nth-child(6){width:7rem}
#q-table thead button,#q-table button.open{border:0;background:none;padding:0;text-align:left;font-weight:inherit;width:100%;overflow-wrap:anywhere}
#q-table button.open{color:var(--accent);text-align:start}
#q-table button.open:hover{text-decoration:underline}
.place{color:var(--soft)}
.verdict{font-weight:650;white-space:nowrap}
.right,.good{color:var(--good)}
.wrong,.failed,.bad{color:var(--bad)}
.detail{background:var(--band);padding:.8rem 1rem;border-radius:.35rem}
.detail h3{font-size:.95rem;margin:1rem 0 .2rem}
.detail ol{margin:.3rem 0;padding-left:1.6rem}
.detail li{margin:.4rem 0}
.detail li p{color:var(--soft);white-space:pre-wrap}
.detail table{width:100%;margin-top:.5rem;table-layout:fixed}
.detail table th{font-weight:500;background:none}
small{color:var(--soft)}
#q-pages{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.8rem 0}
#q-pages[hidden]{display:none}
@media(max-width:46rem){
#q-table,#q-table>tbody,#q-table>tbody>tr,#q-table>tbody>tr>*{display:block}
#q-table>thead{display:block}
#q-table>thead>tr{display:flex;flex-wrap:wrap;gap:.2rem 1rem}
#q-table>thead>tr::before{content:"sort by";color:var(--soft)}
#q-table>thead th,#q-table>thead th:nth-child(n){width:auto;border:0;padding:0}
#q-table>thead th:not(:has(button)){display:none}
#q-table>tbody>tr{border-bottom:2px solid var(--rule);padding:.4rem 0}
#q-table>tbody>tr>*{border:0;padding:.15rem 0}
#q-table>tbody>tr>td[data-label]::before{content:attr(data-label) ": ";color:var(--soft);font-size:.8rem}
#q-form label{flex:1 1 9rem}
.detail{padding:.6rem}
}
`;

/** Colours and figures: what a picture of its own needs. */
export const FIGURE_STYLE: string = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1d21;--soft:#5b616b;--rule:#d9dce1;--band:#f5f6f8;--accent:#0b5cad;--good:#1a6b3c;--bad:#a8291b;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e8eaed;--soft:#a6acb6;--rule:#343941;--band:#1d2024;--accent:#7db8f0;--good:#6fd39a;--bad:#ff9d8f;${variables(DARK)}}}
.grid{stroke:var(--rule);stroke-width:1}
.base{stroke:var(--soft);stroke-width:1}
.tick{fill:var(--soft);font-size:12px}
.axis{fill:var(--ink);font-size:13px}
.line{fill:none;stroke:var(--s);stroke-width:2.2}
.d1 .line{stroke-dasharray:7 4}
.d2 .line{stroke-dasharray:2 3}
.dot,.mark{fill:var(--s)}
.dots{fill:none;stroke:var(--s);stroke-width:7;stroke-linecap:round}
.error{fill:none;stroke:var(--s);stroke-width:1.8}
.rail{stroke:var(--rule);stroke-width:1;stroke-dasharray:1 3}
.group{font-weight:650}
.tick,.group{paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.mark{stroke:var(--paper);stroke-width:1.5}
.d1 .mark{stroke:var(--ink)}
.number{fill:var(--paper);font-size:11px;font-weight:650}
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
@media(max-width:46rem){tbody th,thead th:first-child{position:static}}
tbody tr:hover>*{background:var(--band)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
a{color:var(--accent)}
.trace{white-space:nowrap}
details{margin-top:1.6rem;border-top:1px solid var(--rule);padding-top:.6rem}
summary{cursor:pointer;font-weight:600;font-size:1.05rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1.6rem 2rem;margin-top:1rem}
figure{margin:0;min-width:0}
#lead .figures{grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}
figcaption{font-size:.92rem;font-weight:600;margin-bottom:.2rem}
figure .scroll{margin:0}
@media(max-width:46rem){figure .tick{font-size:15px}figure .axis{font-size:14px}}
svg{width:100%;height:auto;display:block}
.key{list-style:none;margin:.4rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;font-size:.82rem}
.key li{display:flex;gap:.4rem;align-items:baseline}
.swatch{flex:none;min-width:1.25rem;padding:0 .2rem;border-radius:.65rem;text-align:center;font-size:.72rem;font-weight:650;line-height:1.25rem;background:var(--s);color:var(--paper)}
.swatch.d1{outline:2px solid var(--s);outline-offset:1px}
.swatch.d2{outline:2px dotted var(--s);outline-offset:1px}
pre{background:var(--band);padding:.8rem 1rem;overflow-x:auto;font-size:.82rem;white-space:pre-wrap;overflow-wrap:anywhere}
${QUESTIONS_STYLE}@media print{body{max-width:none}details{break-inside:avoid}}
`;
