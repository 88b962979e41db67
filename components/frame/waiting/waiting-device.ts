import { useSyncExternalStore } from 'react'

/** The device whose changes wait for this user to confirm them. */
export type WaitingDevice = { datacenter: number; id: number; name: string }

const KEY = 'console.waiting'
const changes = new EventTarget()

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // The browser stores nothing for this site: the device's page shows the unconfirmed changes.
    return null
  }
}

function subscribe(listener: () => void): () => void {
  changes.addEventListener('change', listener)
  window.addEventListener('storage', listener)
  return () => {
    changes.removeEventListener('change', listener)
    window.removeEventListener('storage', listener)
  }
}

/** Remembers the device in all tabs of this browser, also after a reload. */
export function setWaitingDevice(device: WaitingDevice | undefined): void {
  try {
    if (device) localStorage.setItem(KEY, JSON.stringify(device))
    else localStorage.removeItem(KEY)
  } catch {
    return
  }
  changes.dispatchEvent(new Event('change'))
}

export function useWaitingDevice(): WaitingDevice | undefined {
  const text = useSyncExternalStore(subscribe, stored)
  if (text === null) return undefined
  try {
    const { datacenter, id, name } = JSON.parse(text) as Partial<WaitingDevice>
    return datacenter && id ? { datacenter, id, name: name ?? '' } : undefined
  } catch {
    return undefined
  }
}
