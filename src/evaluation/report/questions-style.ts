/** Holds the style of the list of questions in the HTML report. */

export const QUESTIONS_STYLE: string = `
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
