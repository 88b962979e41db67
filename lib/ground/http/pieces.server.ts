type Ends = {
  /** The client has gone. Called before `end`. */
  onCancel?: () => void
  /** Called once, however the stream ends. */
  end: () => Promise<void>
}

/** A stream of texts. Each is made only when the client has taken the one before. */
export function streamOf(
  pieces: AsyncGenerator<string>,
  { onCancel, end }: Ends,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done } = await pieces.next()
          if (!done) return controller.enqueue(encoder.encode(value))
          await end()
          controller.close()
        } catch (error) {
          await end()
          throw error
        }
      },
      async cancel() {
        onCancel?.()
        await end()
      },
    },
    { highWaterMark: 0 },
  )
}
