/**
 * A cluster that takes every bulk request and does nothing with it: what the elasticsearch output costs is then all that is measured.
 * A process of its own; it prints its port, and answers `/taken` with the count of documents that it took.
 */
import { createServer } from 'node:http';

let taken = 0;
const answers = new Map();

/** Status 201 for so many documents. */
function answerOf(count) {
  let answer = answers.get(count);
  if (answer === undefined) {
    answer = Buffer.from(JSON.stringify({ errors: false, items: Array(count).fill({ index: { status: 201 } }) }));
    answers.set(count, answer);
  }
  return answer;
}

function lineBreaks(chunk) {
  let count = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++;
  return count;
}

const server = createServer((request, response) => {
  let lines = 0;
  request.on('data', (chunk) => {
    lines += lineBreaks(chunk);
  });
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST' && request.url.startsWith('/_bulk')) {
      taken += lines / 2;
      response.end(answerOf(lines / 2));
    } else if (request.url === '/taken') response.end(String(taken));
    else if (request.url === '/') response.end(JSON.stringify({ version: { number: '9.0.0' }, cluster_uuid: 'sink' }));
    else response.end('{}');
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
