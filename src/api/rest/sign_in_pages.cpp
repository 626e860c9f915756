#include "api/rest/sign_in_pages.hpp"

#include <array>

namespace hive::rest {
namespace {

constexpr std::string_view style = R"css(
:root { color-scheme: light dark;
  --ink: #1d1d1f; --paper: #fafaf7; --line: #d9d6cc; --honey: #8f5a0a; --on-honey: #fff; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #ececec; --paper: #17181a; --line: #4a4d52; --honey: #f0b34a; --on-honey: #17181a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { width: 100%; max-width: 26rem; padding: 1.75rem;
  border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; }
p { margin: .5rem 0; }
code { font-family: ui-monospace, monospace; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input { width: 100%; margin-top: .35rem; padding: .6rem .7rem;
  font: 600 1.25rem ui-monospace, monospace;
  letter-spacing: .12em; text-transform: uppercase; color: inherit; background: transparent;
  border: 1px solid var(--line); border-radius: 8px; }
textarea { width: 100%; min-height: 4rem; margin-top: .35rem; padding: .6rem .7rem; font: inherit;
  color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px; }
.row { display: flex; gap: .75rem; margin-top: 1.25rem; }
button { flex: 1; padding: .6rem 1rem; font: inherit; font-weight: 600;
  border-radius: 8px; cursor: pointer;
  border: 1px solid var(--line); background: transparent; color: inherit; }
button.yes { background: var(--honey); border-color: var(--honey); color: var(--on-honey); }
button:disabled { opacity: .5; cursor: default; }
:focus-visible { outline: 3px solid var(--honey); outline-offset: 2px; }
a { color: var(--honey); }
#told { min-height: 1.5rem; font-weight: 600; }
)css";

constexpr std::string_view front = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>PocketHive</title><link rel="stylesheet" href="/sign-in.css">
<link rel="icon" href="/icon.svg">
<script src="/front.js" defer></script></head>
<body><main><h1>PocketHive</h1>
<p id="who" role="status">Looking who you are…</p>
<p id="live" role="status"></p>
<p>The API is described at <a href="/api/openapi.json"><code>/api/openapi.json</code></a>.</p>
</main></body></html>
)html";

constexpr std::string_view front_script = R"js(
const who = document.getElementById('who');
const live = document.getElementById('live');
async function listen(csrfToken) {
  const answer = await fetch('/api/v1/ws/tickets', {
    method: 'POST', headers: { 'X-CSRF-Token': csrfToken },
  });
  if (!answer.ok) throw new Error('no ticket');
  const { ticket } = await answer.json();
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}/ws?token=${ticket}`);
  let heard = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === 'welcome') {
      socket.send(JSON.stringify({ op: 'subscribe', topics: ['#'] }));
    } else if (message.type === 'subscribed') {
      live.textContent = 'Live: waiting for what happens.';
    } else if (message.type === 'event') {
      heard += 1;
      live.textContent = `Live: ${heard} heard, the last one ${message.topic}.`;
    }
  };
  socket.onclose = () => { live.textContent = 'Not live any more; reload the page.'; };
}
fetch('/api/v1/me').then(async (answer) => {
  if (answer.ok) {
    const me = await answer.json();
    who.textContent = `You are signed in as ${me.id} (${me.role}).`;
    return listen(me.csrfToken);
  }
  const api = await (await fetch('/api/openapi.json')).json();
  who.textContent = 'You are not signed in. Open the one-time link that the server printed';
  if (api.paths['/auth/login']) {
    const link = document.createElement('a');
    link.href = '/auth/login?return_to=/';
    link.textContent = 'sign in with your organisation';
    who.append(', or ', link);
  }
  who.append('.');
}).catch(() => { who.textContent = 'The server does not answer.'; });
)js";

constexpr std::string_view device = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Let a program in · PocketHive</title><link rel="stylesheet" href="/sign-in.css">
<link rel="icon" href="/icon.svg">
<script src="/device.js" defer></script></head>
<body><main><h1>Let a program in?</h1>
<p>Someone ran <code>hive login</code>. If that was you, compare the code with the one on your
terminal. The program will be able to do what you may do.</p>
<form id="form"><label for="code">Code</label>
<input id="code" name="code" autocomplete="off" spellcheck="false" maxlength="9" required>
<div class="row"><button type="submit" class="yes" value="yes">Let it in</button>
<button type="button" id="no">No</button></div></form>
<p id="told" role="status"></p></main></body></html>
)html";

constexpr std::string_view device_script = R"js(
const told = document.getElementById('told');
const code = document.getElementById('code');
code.value = new URLSearchParams(location.search).get('code') ?? '';
async function answer(approve) {
  told.textContent = '';
  const me = await fetch('/api/v1/me');
  if (me.status === 401) {
    location.href = '/auth/login?return_to=' + encodeURIComponent('/device?code=' + code.value);
    return;
  }
  const { csrfToken } = await me.json();
  const result = await fetch('/api/v1/login/device/answer', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrfToken ?? '' },
    body: JSON.stringify({ userCode: code.value, approve }),
  });
  if (result.ok) {
    told.textContent = approve
      ? 'Done. You can go back to your terminal.'
      : 'Refused. Nothing was let in.';
    for (const button of document.querySelectorAll('button')) button.disabled = true;
    return;
  }
  told.textContent = (await result.json()).detail;
}
document.getElementById('form').addEventListener('submit', (event) => {
  event.preventDefault();
  answer(true).catch(() => { told.textContent = 'The server does not answer.'; });
});
document.getElementById('no').addEventListener('click', () => {
  answer(false).catch(() => { told.textContent = 'The server does not answer.'; });
});
)js";

constexpr std::string_view icon = R"svg(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path d="M16 2 28 9v14L16 30 4 23V9z" fill="#f0b34a" stroke="#8f5a0a" stroke-width="2"/></svg>
)svg";

constexpr std::array<api::AssetFile, 7> files{{
    {"/index.html", "text/html; charset=utf-8", front},
    {"/front.js", "text/javascript; charset=utf-8", front_script},
    {"/device", "text/html; charset=utf-8", device},
    {"/device.js", "text/javascript; charset=utf-8", device_script},
    {"/icon.svg", "image/svg+xml", icon},
    {"/sign-in.css", "text/css; charset=utf-8", style},
    {"/robots.txt", "text/plain", "User-agent: *\nDisallow: /\n"},
}};

} // namespace

std::span<const api::AssetFile> sign_in_pages() {
    return files;
}

} // namespace hive::rest
