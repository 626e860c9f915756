// Drives the event socket with the `ws` client: node http_ws_client.cjs ws://host/ws?token=KEY
// Prints one line per step, which http_node_test.cpp reads and answers by publishing.
'use strict';
const WebSocket = require('ws');

const socket = new WebSocket(process.argv[2], { perMessageDeflate: true });
const say = (text) => process.stdout.write(text + '\n');
setTimeout(() => { say('timeout'); process.exit(1); }, 20000).unref();

socket.on('open', () => say('open ' + JSON.stringify(socket.extensions)));
socket.on('message', (data, binary) => {
    const message = JSON.parse(data.toString());
    if (message.type === 'welcome') {
        socket.send(JSON.stringify({ op: 'subscribe', topics: ['task.#'] }));
    } else if (message.type === 'subscribed') {
        say('subscribed');
    } else if (message.type === 'event' && message.topic === 'task.ping') {
        socket.ping('are you there');
    } else if (message.type === 'event' && message.topic === 'task.fragments') {
        socket.send('{"op":"sub', { fin: false });
        socket.send('scribe","topics":["bee.#"]}', { fin: true });
    } else if (message.type === 'event' && message.topic === 'task.end') {
        socket.close(1000, 'done');
    } else {
        say(`${message.topic} ${binary} ${message.data.text.length} ${message.data.text.slice(0, 4)}`);
    }
});
socket.on('pong', (data) => say('pong ' + data));
socket.on('close', (code) => { say('close ' + code); process.exit(0); });
socket.on('error', (error) => { say('error ' + error.message); process.exit(1); });
