import { connect, createServer } from 'node:net'

/* Carries connections from one place to another: `relay.ts FROM TO`, each a port of 127.0.0.1 or the path of a socket. A socket's path is the same
   in each network namespace. */

const endpointOf = (text = '') =>
  /^\d+$/.test(text) ? { host: '127.0.0.1', port: Number(text) } : { path: text }

const [, , from, to] = process.argv
createServer((one) => {
  const other = connect(endpointOf(to))
  one.pipe(other).pipe(one)
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
}).listen(endpointOf(from), () => process.stdout.write('ready\n'))
// The process that started this one has ended.
process.stdin.on('end', () => process.exit()).resume()
