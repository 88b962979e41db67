import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import { useSingleKeys } from '#components/base/screens/use-single-keys'
import { mayOpen, useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Switch } from '#components/kit/switch'
import type { Say } from '#lib/words/words'
import { isMac } from './hear-keys'
import styles from './keys.module.css'
import { goTo, pageKeys } from './shortcuts'

/** Every key of the console, and whether keys without Ctrl do something. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const say = useTranslations('palette.keys')
  const label = useTranslations('labels')
  const close = useTranslations('common')('close')
  const goSection = useGoSection()
  const [hasSingleKeys, chooseSingleKeys] = useSingleKeys()
  return (
    <Dialog
      header={say('title')}
      size="large"
      onDismiss={onClose}
      actions={
        <Button look="main" onPress={onClose}>
          {close}
        </Button>
      }
    >
      <div className={styles.sections}>
        {[goSection, ...keySections(say, label, { modifier: isMac() ? '⌘' : say('names.control') })].map(
          (section) => (
            <Keys key={section.title} section={section} />
          ),
        )}
      </div>
      <Switch on={hasSingleKeys} about={say('singleWhy')} onChange={chooseSingleKeys}>
        {say('single')}
      </Switch>
    </Dialog>
  )
}

const Keys = ({ section: { title, uses } }: { section: KeySection }) => (
  <table>
    <caption>{title}</caption>
    <tbody>
      {uses.map((use) => (
        <tr key={use.does}>
          <th scope="row">
            <span className={styles.combinations}>
              <Combinations use={use} />
            </span>
          </th>
          <td>{use.does}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Combinations = ({ use }: { use: KeyUse }) =>
  use.keys.map((keys) => (
    <span key={keys.join(' ')} className={styles.combination}>
      {keys.map((key) => (
        <span key={key}>
          <kbd className={styles.key}>{key}</kbd>{' '}
        </span>
      ))}
    </span>
  ))

/** The effects of keys. Keys of one entry are pressed together, or one after the other; the entries of a use are alternatives. */
type KeyUse = { keys: readonly (readonly string[])[]; does: string }
type KeySection = { title: string; uses: KeyUse[] }

type Names = { modifier: string }

/** The two keys that lead to each screen that the user may open. */
function useGoSection(): KeySection {
  const say = useTranslations('palette.keys')
  const sayScreen = useTranslations('layout.navigation')
  const session = useSession()
  const mine = goTo.filter(({ to }) => mayOpen(session, to))
  return {
    title: say('go'),
    uses: mine.map(({ key, name }) => ({ keys: [['g', key]], does: sayScreen(name) })),
  }
}

/** The other keys of the console, by the place where they work. */
function keySections(say: Say<'palette.keys'>, label: Say<'labels'>, { modifier }: Names): KeySection[] {
  const key = (name: Parameters<typeof say>[0] & `names.${string}`) => say(name)
  const arrows = [['↑'], ['↓'], ['←'], ['→']]
  const sideways = [['←'], ['→']]
  const upAndDown = [['↑'], ['↓']]
  const pages = [[key('names.pageUp')], [key('names.pageDown')]]
  const edges = [[key('names.home')], [key('names.end')]]
  const enter = [[key('names.enter')]]
  const esc = [[key('names.escape')]]
  return [
    {
      title: say('everywhere.title'),
      uses: [
        { keys: [[modifier, 'K']], does: say('everywhere.palette') },
        { keys: [['?']], does: say('everywhere.keys') },
        { keys: [[key('names.tab')]], does: say('everywhere.skip') },
        { keys: esc, does: say('everywhere.close') },
      ],
    },
    {
      title: say('screen.title'),
      uses: [
        ...Object.entries(pageKeys).map(([name, does]) => ({ keys: [[name]], does: say(`screen.${does}`) })),
        { keys: enter, does: say('screen.open') },
      ],
    },
    {
      title: say('palette.title'),
      uses: [
        { keys: upAndDown, does: say('palette.move') },
        { keys: pages, does: say('palette.group') },
        { keys: enter, does: say('palette.open') },
        { keys: [['→']], does: say('palette.actions') },
      ],
    },
    {
      title: say('tables.title'),
      uses: [
        { keys: arrows, does: say('tables.move') },
        { keys: edges, does: say('tables.edges') },
        { keys: edges.map(([name = '']) => [key('names.control'), name]), does: say('tables.corners') },
        { keys: pages, does: say('tables.page') },
        { keys: [[key('names.space')]], does: say('tables.select') },
      ],
    },
    {
      title: say('scopes.title'),
      uses: [
        { keys: [['→']], does: say('scopes.open') },
        { keys: [['←']], does: say('scopes.close') },
        { keys: [[key('names.letters')]], does: say('scopes.letters') },
      ],
    },
    {
      title: label('addressMap'),
      uses: [
        { keys: arrows, does: say('map.move') },
        { keys: enter, does: say('map.into') },
        { keys: [[key('names.backspace')]], does: say('map.out') },
      ],
    },
    {
      title: say('events.title'),
      uses: [
        { keys: sideways, does: say('events.move') },
        { keys: esc, does: say('events.close') },
      ],
    },
  ]
}
