import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '#components/session/session'
import { hearKeys } from './hear-keys'
import { onOpenKeys, onOpenPalette, openKeys, openPalette } from './open-palette'
import { useQuestionKey } from './use-question-key'

// Fetched while Ctrl is held: no letter that follows Ctrl-K is lost.
const fetchPalette = () => import('./palette')
const Palette = lazy(async () => ({ default: (await fetchPalette()).Palette }))
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog')).KeysDialog }))

/** Shows the palette or the list of keys, asked for by key or by button. The frame of the console has one of it. */
export function PaletteHost() {
  const { mustChangePassword, mustEnableTwoFactor } = useSession()
  // Before that duty is done nothing else is open to the user.
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
