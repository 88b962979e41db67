import { createServer } from 'node:http'

/* A minimal Node server, the baseline of the measurements. */

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('1.0.0')
}).listen(Number(process.env.PORT), '127.0.0.1')
