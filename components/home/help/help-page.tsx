import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import Markdown, { type Components } from 'react-markdown'
import { Link, useLocation, useParams } from 'react-router'
import rehypeSlug from 'rehype-slug'
import remarkGfm from 'remark-gfm'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Page } from '#components/frame/layout/page'
import { useFirstStepsChoice, useMayBegin } from '#components/home/use-first-steps'
import { Spinner } from '#components/kit/spinner'
import {
  documentBehind,
  type HelpDocument,
  helpDocuments,
  loadDocument,
  pagesOf,
  pictures,
} from './documents'
import styles from './help.module.css'

const documentQuery = (name: string) =>
  queryOptions({
    queryKey: ['help', name],
    queryFn: () => loadDocument(name),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The documents of this version, in English. */
export function Component() {
  const { '*': name = '' } = useParams()
  const say = useTranslations('layout.help')
  const open = name || 'concepts'
  const { data, error, refetch, isPending } = useQuery(documentQuery(open))
  return (
    <Page title={say('title')} description={say('about')} actions={useMayBegin() && <ShowFirstSteps />}>
      <div className={styles.help}>
        <Contents open={open} />
        {isPending && (
          <div role="status" aria-label={say('loading')}>
            <Spinner />
          </div>
        )}
        {error && <Failure error={error} retry={() => void refetch()} />}
        {data && <Text name={open} text={data} />}
        {data === null && <p>{say('missing')}</p>}
      </div>
    </Page>
  )
}

/** Brings the card of the first steps back to home. */
function ShowFirstSteps() {
  const say = useTranslations('home.firstSteps')
  const [, keep] = useFirstStepsChoice()
  return (
    <AppButton onClick={() => keep('open')} to={paths.home()}>
      {say('show')}
    </AppButton>
  )
}

function Contents({ open }: { open: string }) {
  const say = useTranslations('layout.help')
  const holds = (name: HelpDocument) => open.startsWith(`${name}/`)
  return (
    <nav aria-label={say('contents')} className={styles.contents}>
      <ul>
        {helpDocuments.map((name) => (
          <li key={name}>
            <Link to={paths.help(name)} aria-current={open === name ? 'page' : holds(name)}>
              {say(`documents.${name}`)}
            </Link>
            {name === 'api' && (open === name || holds(name)) && <ApiPages open={open} />}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The pages of the API, in English as their texts. */
function ApiPages({ open }: { open: string }) {
  const { data } = useQuery(documentQuery('api'))
  return (
    <ul lang="en" className={styles.pages}>
      {pagesOf(data ?? '').map(({ name, title }) => (
        <li key={name}>
          <Link to={paths.help(name)} aria-current={open === name ? 'page' : undefined}>
            {title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Text({ name, text }: { name: string; text: string }) {
  const article = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    const heading = hash && article.current?.querySelector(`[id="${CSS.escape(hash.slice(1))}"]`)
    if (heading) heading.scrollIntoView()
  }, [hash])
  return (
    <article ref={article} lang="en" className={styles.text}>
      <Markdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSlug]}
        components={partsOf(name)}
        urlTransform={(url, attribute) => (attribute === 'src' ? pictures[url] : url)}
      >
        {text}
      </Markdown>
    </article>
  )
}

/** Links of a document lead to other documents of the console. Other links are plain text. */
const partsOf = (name: string): Components => ({
  h1: ({ children, id }) => <h2 id={id}>{children}</h2>,
  h2: ({ children, id }) => <h3 id={id}>{children}</h3>,
  h3: ({ children, id }) => <h4 id={id}>{children}</h4>,
  a: ({ href = '', children }) => {
    if (/^https?:/.test(href))
      return (
        <a href={href} target="_blank" rel="noreferrer">
          {children}
        </a>
      )
    const to = href.startsWith('#') ? href : documentBehind(name, href)
    return to ? <Link to={to}>{children}</Link> : children
  },
})
