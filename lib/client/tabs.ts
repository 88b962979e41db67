/** What the tabs of one browser tell each other, so that they agree on who is signed in and since when nobody has touched them. */
type TabMessage =
  | { type: 'touched'; at: number }
  /** Somebody signed in, out, or stayed: to be asked for anew. */
  | { type: 'session' }

let joined: BroadcastChannel | undefined

/** A browser without this way to talk has tabs that learn of each other by the server alone. */
function channel(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined
  joined ??= new BroadcastChannel('console.session')
  return joined
}

export const tellTabs = (message: TabMessage): void => channel()?.postMessage(message)

/** Hears what the other tabs tell. Gives what ends the listening. */
export function hearTabs(listener: (message: TabMessage) => void): () => void {
  const hear = ({ data }: MessageEvent<TabMessage>) => listener(data)
  channel()?.addEventListener('message', hear)
  return () => channel()?.removeEventListener('message', hear)
}
