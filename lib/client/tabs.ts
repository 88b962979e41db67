/** Messages between the tabs of one browser, which share the session and the time of the last activity. */
type TabMessage =
  | { type: 'touched'; at: number }
  /** The session has changed and must be read again. */
  | { type: 'session' }

let joined: BroadcastChannel | undefined

/** Without BroadcastChannel, tabs learn of each other through the server only. */
function channel(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined
  joined ??= new BroadcastChannel('console.session')
  return joined
}

export const tellTabs = (message: TabMessage): void => channel()?.postMessage(message)

/** Listens to the other tabs. Returns the function that ends the listening. */
export function hearTabs(listener: (message: TabMessage) => void): () => void {
  const hear = ({ data }: MessageEvent<TabMessage>) => listener(data)
  channel()?.addEventListener('message', hear)
  return () => channel()?.removeEventListener('message', hear)
}
