#include "report/html_style.hpp"

namespace hive::report {
namespace {

constexpr std::string_view style = R"css(
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--quiet:#57606a;--line:#d8dee4;
--card:#f6f8fa;
--good:#1a7f37;--bad:#cf222e;--warn:#9a6700;--blue:#0969da;--green:#1a7f37;--amber:#bc6c00;
--red:#cf222e;--violet:#8250df;--teal:#0b7285;--band:#1a7f3722}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--quiet:#9198a1;--line:#30363d;
--card:#161b22;--good:#3fb950;--bad:#ff7b72;--warn:#d29922;--blue:#58a6ff;--green:#3fb950;
--amber:#e3a33b;--red:#ff7b72;--violet:#bc8cff;--teal:#56d4dd;--band:#3fb95026}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",
Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
main{max-width:1120px;margin:0 auto;padding:28px 20px 48px}
h1{font-size:1.7rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:36px 0 10px;padding-bottom:6px;border-bottom:1px solid var(--line)}
.head{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center}
.badge{font-weight:600;border-radius:999px;padding:3px 14px;color:#fff;background:var(--quiet)}
.badge.good{background:#1a7f37}.badge.bad{background:#cf222e}.badge.warn{background:#9a6700}
.sub,.quiet,.note{color:var(--quiet)}.sub{margin:6px 0 0}.note{font-size:.87rem;margin:4px 0 0}
.reason{margin:8px 0 0;font-weight:600}
.tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:12px;margin:22px 0 0;
padding:0;list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:10px;
padding:12px 14px}
.tiles b{display:block;font-size:1.45rem;line-height:1.3;font-variant-numeric:tabular-nums;
white-space:nowrap}
.tiles span{color:var(--quiet);font-size:.87rem;display:block}
.tiles .bad b{color:var(--bad)}
.charts{display:grid;grid-template-columns:1fr;gap:22px}
.chart{margin:0;min-width:0;position:relative;background:var(--card);border:1px solid var(--line);
border-radius:10px;padding:12px 14px}
figcaption{display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline;margin-bottom:4px}
.legend{display:flex;flex-wrap:wrap;gap:2px 14px;font-size:.87rem;color:var(--quiet);
margin-left:auto}
.legend i{display:inline-block;width:16px;height:0;border-top:3px solid;margin-right:5px;
vertical-align:middle}
.legend i.band{height:10px;border:0;background:var(--band);outline:1px solid var(--green)}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{font-size:12px;fill:var(--quiet);font-family:inherit}
@media (min-width:980px){.charts{grid-template-columns:1fr 1fr}.charts svg text{font-size:15px}
.charts .chart:first-child:nth-last-child(odd){grid-column:1/-1}
.charts .chart:first-child:nth-last-child(odd) svg text{font-size:9px}}
.ytick{text-anchor:end}.xtick{text-anchor:middle}.xtick.last{text-anchor:end}
.grid{stroke:var(--line);stroke-width:1}
.line{fill:none;stroke-width:1.8;stroke-linejoin:round}
.plan{stroke:var(--quiet);color:var(--quiet);border-top-style:dashed!important}
.line.plan{stroke-dasharray:6 4}
.done{stroke:var(--blue);color:var(--blue)}.p50{stroke:var(--green);color:var(--green)}
.p90{stroke:var(--amber);color:var(--amber)}.p99{stroke:var(--red);color:var(--red)}
.due{stroke:var(--violet);color:var(--violet);border-top-style:dotted!important}
.line.due{stroke-dasharray:2 3}
.c0{stroke:var(--blue);color:var(--blue)}.c1{stroke:var(--amber);color:var(--amber)}
.c2{stroke:var(--violet);color:var(--violet)}.c3{stroke:var(--teal);color:var(--teal)}
.c4{stroke:var(--red);color:var(--red)}.c5{stroke:var(--green);color:var(--green)}
.c6{stroke:var(--quiet);color:var(--quiet)}.c7{stroke:var(--fg);color:var(--fg)}
rect.band{fill:var(--band)}.target{stroke:var(--green);stroke-dasharray:3 3}
rect.bar{fill:var(--blue)}
.marker line{stroke:var(--quiet);stroke-dasharray:2 3}.marker text{fill:var(--fg)}
.marker .words{fill:var(--quiet)}.cursor{stroke:var(--fg);stroke-width:1}
.tip{position:absolute;pointer-events:none;background:var(--bg);color:var(--fg);
border:1px solid var(--line);border-radius:8px;padding:6px 10px;font-size:.85rem;
white-space:nowrap;
box-shadow:0 4px 14px #0003;z-index:1;font-variant-numeric:tabular-nums}
.tip b{display:block}.tip i{display:inline-block;width:10px;border-top:3px solid;margin-right:6px;
vertical-align:middle}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:6px 12px;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--quiet);font-weight:600;font-size:.87rem}
th:first-child,td:first-child,td.text,th.text{text-align:left}
td.text{white-space:normal;overflow-wrap:anywhere;min-width:9.5em}
.ok{color:var(--good);font-weight:600}.no{color:var(--bad);font-weight:600}
.pair{display:grid;gap:0 32px}@media (min-width:760px){.pair{grid-template-columns:1fr 1fr}}
ol.plan-steps{margin:8px 0 0;padding-left:1.6em;columns:2 260px}
footer{margin-top:40px;color:var(--quiet);font-size:.87rem}
@media (max-width:600px){main{padding:18px 12px 32px}h1{font-size:1.35rem}
svg text,.charts svg text{font-size:21px}
.odd,.marker .words{display:none}.tiles{grid-template-columns:1fr 1fr;gap:8px}
.tiles b{font-size:1.15rem}.chart{padding:10px 8px}th,td{padding:6px 8px}.legend{margin-left:0}
.line{stroke-width:3}}
@page{size:A4;margin:13mm}
@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--quiet:#444;--line:#ccc;--card:#fff;
--good:#1a7f37;--bad:#cf222e;--warn:#9a6700;--blue:#0969da;--green:#1a7f37;--amber:#bc6c00;
--red:#cf222e;--violet:#8250df;--teal:#0b7285;--band:#1a7f3722}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{font-size:10.5pt}.charts svg text{font-size:14px!important}main{max-width:none;padding:0}
.charts{grid-template-columns:1fr;gap:12px}
.chart,.tiles li,tr,section.keep{break-inside:avoid}h2{break-after:avoid;margin-top:22px}
.tiles{grid-template-columns:repeat(4,1fr)}.tiles b{font-size:1.15rem}.scroll{overflow:visible}
.chart svg{max-height:54mm}.tip,.cursor{display:none}.pair{grid-template-columns:1fr 1fr}}
)css";

constexpr std::string_view script = R"js(
(function(){'use strict';
function n(v){return v>=100?Math.round(v).toLocaleString('en-US'):String(+v.toPrecision(3))}
function text(u,v){if(u==='rate')return n(v)+'/s';if(u==='count')return n(v);
return v<1000?n(v)+' µs':v<1e6?n(v/1e3)+' ms':n(v/1e6)+' s'}
function clock(s){var m=Math.floor(s/60),r=Math.floor(s%60);return m+':'+(r<10?'0':'')+r}
document.querySelectorAll('svg[data-t]').forEach(function(svg){
var times=svg.dataset.t.split(',').map(Number),end=+svg.dataset.end,tip=null,
lines=[].map.call(svg.querySelectorAll('path[data-v]'),function(p){
return{name:p.dataset.name,look:p.classList[1],values:p.dataset.v.split(',')}}),
cursor=svg.querySelector('.cursor'),figure=svg.parentNode;
function hide(){if(tip){tip.remove();tip=null}cursor.setAttribute('visibility','hidden')}
svg.addEventListener('pointerleave',hide);
svg.addEventListener('pointermove',function(e){
var box=svg.getBoundingClientRect(),x=(e.clientX-box.left)*720/box.width;
if(x<72||x>708||!times.length){hide();return}
var at=(x-72)/636*end,best=0,i;
for(i=1;i<times.length;i++)if(Math.abs(times[i]-at)<Math.abs(times[best]-at))best=i;
var px=72+636*times[best]/end;
cursor.setAttribute('x1',px);cursor.setAttribute('x2',px);
cursor.setAttribute('visibility','visible');
if(!tip){tip=document.createElement('div');tip.className='tip';figure.appendChild(tip)}
tip.textContent='';var head=document.createElement('b');head.textContent=clock(times[best]);
tip.appendChild(head);
lines.forEach(function(l){if(l.values[best]==='')return;var row=document.createElement('div'),
dot=document.createElement('i');dot.className=l.look;row.appendChild(dot);
row.appendChild(document.createTextNode(l.name+' '+text(svg.dataset.unit,+l.values[best])));
tip.appendChild(row)});
var own=figure.getBoundingClientRect(),left=e.clientX-own.left+14;
if(left+tip.offsetWidth>own.width)left=Math.max(0,e.clientX-own.left-tip.offsetWidth-14);
tip.style.left=left+'px';tip.style.top=(box.top-own.top+18)+'px'})})})();
)js";

} // namespace

std::string_view html_style() noexcept {
    return style;
}

std::string_view html_script() noexcept {
    return script;
}

} // namespace hive::report
