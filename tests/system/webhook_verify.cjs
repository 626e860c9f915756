// Checks deliveries with the reference library of Standard Webhooks, as a receiver would.
// Usage: node webhook_verify.cjs FILE, where FILE holds a list of {secret, headers, body}.
const fs = require('fs');
const { Webhook } = require('standardwebhooks');

for (const { secret, headers, body } of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
  try {
    const payload = new Webhook(secret).verify(body, headers);
    console.log(`good ${payload.type}`);
  } catch (error) {
    console.log(`bad ${error.message}`);
  }
}
