import { createServer } from 'node:http'

/* The least that Node can answer: what everything else is measured against. */

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('1.0.0')
}).listen(Number(process.env.PORT), '127.0.0.1')
