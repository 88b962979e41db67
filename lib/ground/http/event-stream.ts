/* Server-sent events as this API writes and its clients read them: LF, one line of data (HTML, "Server-sent events", §9.2). */

/** `event` is `message` if the stream names none. */
export type StreamMessage = { id: string | undefined; event: string; data: string | undefined }

/** The messages of a stream as they come. A comment is a message without data. */
export async function* messagesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    const blocks = (text + decoder.decode(piece.value, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
      yield { id: field('id'), event: field('event') ?? 'message', data: field('data') }
    }
  }
}

/** The progress of a long change. `total` is 0 if unknown. */
export type Progress = { phase: string; done: number; total: number }
