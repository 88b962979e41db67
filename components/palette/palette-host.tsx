import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '#components/session/session'
import { hearKeys } from './hear-keys'
import { onOpenKeys, onOpenPalette, openKeys, openPalette } from './open-palette'
import { useQuestionKey } from './use-question-key'

// Loads while Ctrl is held, so that no letter after Ctrl-K is lost.
const fetchPalette = () => import('./palette')
const Palette = lazy(async () => ({ default: (await fetchPalette()).Palette }))
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog')).KeysDialog }))

/** Shows the palette or the list of keys, opened by a key or a button. The frame of the console has one host. */
export function PaletteHost() {
  const { mustChangePassword, mustEnableTwoFactor } = useSession()
  // The user may do nothing else before that.
  const hasDuty = mustChangePassword || mustEnableTwoFactor
  const [hasQuestionKey] = useQuestionKey()
  const [open, setOpen] = useState<'palette' | 'keys'>()
  const close = () => setOpen(undefined)

  const onPalette = useEffectEvent(() => {
    if (!hasDuty) openPalette()
  })
  const onQuestion = useEffectEvent(() => {
    if (hasQuestionKey) openKeys()
  })
  useEffect(
    () =>
      hearKeys({
        onHold: () => void fetchPalette().catch(() => undefined),
        onPalette: () => onPalette(),
        onQuestion: () => onQuestion(),
      }),
    [],
  )
  useEffect(() => onOpenPalette(() => setOpen('palette')), [])
  useEffect(() => onOpenKeys(() => setOpen('keys')), [])
  return (
    <Suspense>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'keys' && <KeysDialog onClose={close} />}
    </Suspense>
  )
}
