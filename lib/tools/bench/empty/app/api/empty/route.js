export const dynamic = 'force-dynamic'

export const GET = () => new Response('1.0.0', { headers: { 'content-type': 'text/plain' } })
