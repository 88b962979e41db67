import { type ReactNode, useEffect } from 'react'
import { Frame } from '#components/kit/frame'
import { icons } from '#components/kit/icons'
import { MenuButton } from '#components/kit/menu'
import { Navigation, type NavigationGroup } from '#components/kit/navigation'
import { screenIcons } from '#components/kit/screen-icons'
import { Toasts } from '#components/kit/toast'
import { Tool } from '#components/kit/tool'
import { chooseDensity, chooseTheme, densities, themes, watchAppearance } from '#lib/client/appearance'
import { Buttons } from './buttons'
import { Charts } from './charts'
import { Choices } from './choices'
import { Dates } from './dates'
import { Fields } from './fields'
import { FormSample } from './form-sample'
import { IpList } from './ip-list'
import { Look } from './look'
import { Messages } from './messages'
import styles from './showcase.module.css'

type Section = { id: string; title: string; about: string; icon: ReactNode; content: ReactNode }

const parts: readonly Section[] = [
  {
    id: 'look',
    title: 'Look',
    about: 'Colour, type, signs and icons. Every part takes its values from tokens.css.',
    icon: screenIcons.theme,
    content: <Look />,
  },
  {
    id: 'buttons',
    title: 'Buttons',
    about: 'One main action a screen. A refused button keeps the focus and says why.',
    icon: screenIcons.plus,
    content: <Buttons />,
  },
  {
    id: 'fields',
    title: 'Fields',
    about: 'Text, password, code, pickers and switches. A fault stands before the hint.',
    icon: screenIcons.settings,
    content: <Fields />,
  },
  {
    id: 'choices',
    title: 'Choices',
    about: 'One or several of a few, and the small parts of forms.',
    icon: icons.check,
    content: <Choices />,
  },
  {
    id: 'dates',
    title: 'Dates and files',
    about: 'Days are typed as the locale writes them, or as ISO 8601.',
    icon: screenIcons.calendar,
    content: <Dates />,
  },
  {
    id: 'charts',
    title: 'Charts',
    about: 'In the signs of the states. A list or a table has the same figures.',
    icon: screenIcons.networks,
    content: <Charts />,
  },
  {
    id: 'form',
    title: 'Form',
    about: 'Sections with their reason at the left. The actions stay in sight.',
    icon: screenIcons.rules,
    content: <FormSample />,
  },
  {
    id: 'messages',
    title: 'Messages',
    about: 'A notice stays while it is true, a toast leaves, a dialog asks.',
    icon: screenIcons.events,
    content: <Messages />,
  },
  {
    id: 'list',
    title: 'List',
    about: 'Band, filter, facets, table, row menu, panel and pager. Made-up addresses (RFC 5737).',
    icon: screenIcons.ips,
    content: <IpList />,
  },
]

const groups: readonly NavigationGroup[] = [
  { title: 'Parts', links: parts.map(({ id, title, icon }) => ({ text: title, href: `#${id}`, icon })) },
  { title: 'Console', links: [{ text: 'Sign-in', href: '/', icon: screenIcons.home }] },
]

/** The frame around this page is the kit's own. */
export function Showcase() {
  useEffect(watchAppearance, [])
  return (
    <Frame
      language="en"
      openLabel="Open the navigation"
      skipLabel="Skip to the content"
      bar={
        <>
          <strong className={styles.brand}>{screenIcons.networks}Kit</strong>
          <Appearance />
        </>
      }
      navigation={<Navigation label="Parts" groups={groups} />}
    >
      <div className={styles.page}>
        <header className={styles.head}>
          <h1>The kit</h1>
          <p>Every part of the console in each of its states, in light and in dark.</p>
        </header>
        {parts.map(({ id, title, about, content }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`} className={styles.section}>
            <header>
              <h2 id={`${id}-title`}>{title}</h2>
              <p>{about}</p>
            </header>
            {content}
          </section>
        ))}
      </div>
      <Toasts label="Messages" closeLabel="Dismiss" />
    </Frame>
  )
}

const Appearance = () => (
  <MenuButton
    label="Appearance"
    entries={[
      { title: 'Theme', entries: themes.map((id) => ({ id, text: id, run: () => chooseTheme(id) })) },
      { title: 'Density', entries: densities.map((id) => ({ id, text: id, run: () => chooseDensity(id) })) },
    ]}
  >
    <Tool look="quiet" icon={screenIcons.theme} label="Appearance" />
  </MenuButton>
)
