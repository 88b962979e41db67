import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { useSingleKeys } from '#components/base/screens/use-single-keys'
import { mayOpen, useHasDuty, useSession } from '#components/base/session/session'
import { deferredOver } from '#components/kit/deferred-over'
import { hearKeys } from './hear-keys'
import { onOpenKeys, onOpenPalette, openKeys, openPalette } from './open-palette'
import { pressOnPage } from './page-keys'
// Not loaded lazily, because the field must receive the letters typed right after Ctrl-K.
import { Palette } from './palette'
import { goTo } from './shortcuts'

const KeysDialog = deferredOver(async () => (await import('./keys-dialog')).KeysDialog)

/** Shows the palette or the list of keys, opened by a key or a button. The frame of the console has one host. */
export function PaletteHost() {
  // The user may do nothing else before that.
  const hasDuty = useHasDuty()
  const [hasSingleKeys] = useSingleKeys()
  const go = useGo()
  const [open, setOpen] = useState<'palette' | 'keys'>()
  const close = () => setOpen(undefined)

  const onPalette = useEffectEvent(() => {
    if (!hasDuty) openPalette()
  })
  const onKeys = useEffectEvent((keys: string): boolean => {
    if (!hasSingleKeys) return false
    if (keys === '?') openKeys()
    return keys === '?' || (!hasDuty && (go(keys) || pressOnPage(keys)))
  })
  useEffect(() => hearKeys({ onPalette: () => onPalette(), onKeys: (keys) => onKeys(keys) }), [])
  // The field has the focus before the next key is heard.
  useEffect(() => onOpenPalette(() => flushSync(() => setOpen('palette'))), [])
  useEffect(() => onOpenKeys(() => setOpen('keys')), [])
  return (
    <>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'keys' && <KeysDialog onClose={close} />}
    </>
  )
}

/** Follows two keys to a screen that the user may open. Returns whether there is one. */
function useGo(): (keys: string) => boolean {
  const session = useSession()
  const navigate = useNavigate()
  return (keys) => {
    const path = goTo.find(({ key }) => keys === `g ${key}`)?.to
    if (path === undefined || !mayOpen(session, path)) return false
    void navigate(path)
    return true
  }
}
