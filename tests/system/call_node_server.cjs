// A server that is not ours: node call_node_server.cjs CERTIFICATE KEY prints the ports of HTTP and
// HTTPS, and ends when asked for /quit.
'use strict';
const fs = require('fs');
const http = require('http');
const https = require('https');

function answer(request, response) {
    if (request.url === '/quit') {
        response.end('bye', () => process.exit(0));
    } else if (request.url === '/chunked') {
        response.setHeader('Trailer', 'X-Parts');
        response.write('one.');
        setImmediate(() => {
            response.write('two.');
            response.addTrailers({'X-Parts': '2'});
            response.end();
        });
    } else if (request.url === '/empty') {
        response.writeHead(204).end();
    } else if (request.url === '/close') {
        response.setHeader('Connection', 'close');
        response.end('last');
    } else if (request.url === '/big') {
        response.end('x'.repeat(1 << 20));
    } else if (request.url === '/continue') {
        response.writeContinue();
        response.end('went on');
    } else {
        let body = '';
        request.on('data', (part) => { body += part; });
        request.on('end', () => {
            const alpn = request.socket.alpnProtocol || 'plain';
            response.end(`${request.method} ${request.url} ${alpn} ${body}`);
        });
    }
}

const plain = http.createServer(answer);
const secure = https.createServer(
    {cert: fs.readFileSync(process.argv[2]), key: fs.readFileSync(process.argv[3]),
        ALPNProtocols: ['http/1.1']}, answer);
plain.listen(0, '127.0.0.1', () => secure.listen(0, '127.0.0.1', () =>
    console.log(`${plain.address().port}\n${secure.address().port}`)));
