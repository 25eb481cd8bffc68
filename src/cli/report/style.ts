// Owns how a report looks: light and dark, on a screen, a phone and on paper. No fonts and images from elsewhere.
export const STYLE = `
:root{color-scheme:light dark;--bg:#fbfaf8;--fg:#1f2328;--dim:#656d76;--line:#dcdad5;--card:#fff;--accent:#0b6b6b;--good:#1a7f37;--bad:#c4302b;--wait:#9a6700;--work:#0b6b6b;--queued:#a9a7a1;--add:#e6f4ea;--del:#fdecea}
@media (prefers-color-scheme:dark){:root{--bg:#15171a;--fg:#e4e6e8;--dim:#949ba3;--line:#30343a;--card:#1c1f23;--accent:#4fb8b0;--good:#57ab5a;--bad:#f0655f;--wait:#d4a72c;--work:#3f9f98;--queued:#5c6168;--add:#14301f;--del:#3a1d1e}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:2.25rem 0 .6rem;padding-top:.9rem;border-top:1px solid var(--line)}
h3{font-size:.95rem;margin:0 0 .35rem}
p{margin:.4rem 0}a{color:var(--accent)}
code,pre,.mono{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:.4rem 0;padding:.75rem .9rem;background:var(--card);border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4}
.dim{color:var(--dim)}.small{font-size:.85rem}
.badge{display:inline-block;padding:.1rem .6rem;border-radius:99px;border:1px solid currentColor;font-size:.8rem;font-weight:600;letter-spacing:.02em}
.good{color:var(--good)}.bad{color:var(--bad)}.wait{color:var(--wait)}.work{color:var(--work)}
dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.7rem 1.25rem;margin:1rem 0}
dl.facts dt{color:var(--dim);font-size:.8rem}dl.facts dd{margin:0;overflow-wrap:anywhere}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem .95rem;margin:.6rem 0}
ul.plain{list-style:none;margin:.3rem 0;padding:0}ul.plain li{padding:.12rem 0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem .3rem 0;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{color:var(--dim);font-weight:500;font-size:.8rem}td.lines{width:4.5rem;text-align:right;font-variant-numeric:tabular-nums}td.time{white-space:nowrap;font-variant-numeric:tabular-nums;color:var(--dim)}
.note{border-left:3px solid var(--wait);padding:.25rem .75rem;margin:.5rem 0;color:var(--dim)}
svg{display:block;width:100%;height:auto}svg text{fill:var(--dim);font:11px system-ui,sans-serif}svg .axis{stroke:var(--line)}
svg rect{rx:2px}.p-queued,.p-waiting{fill:var(--queued)}.p-working{fill:var(--work)}.p-starting{fill:var(--work);opacity:.5}.p-verifying{fill:var(--good)}.p-idle{fill:var(--accent);opacity:.45}.p-asking,.p-stopped_by_person{fill:var(--wait)}.p-backing_off,.p-parked{fill:var(--wait);opacity:.55}.p-stuck{fill:var(--bad)}
.r-good{fill:var(--good)}.r-bad{fill:var(--bad)}.r-open{fill:var(--work)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.4rem 0 0;font-size:.8rem;color:var(--dim)}.legend svg{display:inline-block;width:.7rem;height:.7rem;margin-right:.35rem;vertical-align:-1px}
ol.parcel{display:flex;flex-wrap:wrap;list-style:none;margin:.5rem 0 0;padding:0;gap:0}
ol.parcel li{position:relative;flex:1 1 7rem;padding:1.1rem .6rem 0 0;font-size:.8rem;color:var(--dim)}
ol.parcel li::before{content:"";position:absolute;left:0;top:.3rem;width:.65rem;height:.65rem;border-radius:50%;border:2px solid var(--line);background:var(--bg)}
ol.parcel li::after{content:"";position:absolute;left:.8rem;right:.2rem;top:.58rem;border-top:2px solid var(--line)}
ol.parcel li:last-child::after{display:none}
ol.parcel li.done{color:var(--fg)}ol.parcel li.done::before{background:var(--good);border-color:var(--good)}ol.parcel li.done::after{border-color:var(--good)}
ol.parcel li.stopped::before{background:var(--bad);border-color:var(--bad)}
.diff span{display:block;margin:0 -.9rem;padding:0 .9rem;min-height:1.5em}.diff .a{background:var(--add)}.diff .d{background:var(--del)}.diff .h{color:var(--accent)}.diff .f{font-weight:600;border-top:1px solid var(--line);margin-top:.5rem;padding-top:.35rem}
.diff .f:first-child{border-top:0;margin-top:0}details summary{cursor:pointer;color:var(--dim)}
@media print{body{background:#fff}details{display:block}}
`
