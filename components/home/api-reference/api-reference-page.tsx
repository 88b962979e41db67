import { Spinner } from '#components/kit/spinner'
import 'swagger-ui-dist/swagger-ui.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type createElement, useEffect, useState, useSyncExternalStore } from 'react'
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { Page } from '#components/frame/layout/page'
import { api } from '#lib/client/api'
import { subscribeToAppearance } from '#lib/client/appearance'
import styles from './api-reference.module.css'
import { dereference } from './dereference'

/** The OpenAPI description. It only changes with a new server version. */
const openApiQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: ({ signal, meta }) => api<object>('/api/openapi.json', { signal, meta }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The generated reference of the API, which can send requests with the session of the console. */
export function Component() {
  const { data, error, refetch, isPending } = useQuery(openApiQuery)
  const say = useTranslations('layout.apiReference')
  return (
    <Page title={say('title')} description={say('about')}>
      {isPending && (
        <div role="status" aria-label={say('loading')}>
          <Spinner />
        </div>
      )}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data && <ApiReference description={data} />}
    </Page>
  )
}

function ApiReference({ description }: { description: object }) {
  const say = useTranslations('layout.apiReference')
  const { lang } = document.documentElement
  const [valueName, operations] = [say('value'), say('operations')]
  const [element, setElement] = useState<HTMLElement | null>(null)
  // Swagger UI renders into an element of its own.
  useEffect(() => {
    if (!element) return
    SwaggerUI({
      domNode: element,
      spec: structuredClone(description),
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      deepLinking: true,
      displayRequestDuration: true,
      filter: true,
      syntaxHighlight: false,
      validatorUrl: null,
      plugins: [accessible({ valueName, operations, lang }), { fn: { resolveSubtree } }],
      layout: 'Operations',
      supportedSubmitMethods: ['get', 'post', 'put', 'delete'],
    })
    return () => element.replaceChildren()
  }, [element, description, valueName, operations, lang])
  useDarkLibrary()
  return <div ref={setElement} lang="en" className={styles.reference} />
}

/** Swagger UI's own resolver of OpenAPI 3.1 reads the whole description each time, which takes seconds. */
const resolveSubtree = async (description: object, path: readonly string[]) => ({
  spec: dereference(description, path),
  errors: [],
})

const isDark = (): boolean => document.documentElement.dataset.theme === 'dark'

/** Swagger UI reads its dark mode from a class of the root element. */
function useDarkLibrary(): void {
  const dark = useSyncExternalStore(subscribeToAppearance, isDark)
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', dark)
    return () => document.documentElement.classList.remove('dark-mode')
  }, [dark])
}

/* Plugins of Swagger UI that make its components accessible. */

type Props = Record<string, unknown>
type System = { React: { createElement: typeof createElement } }
type Wrapped = Parameters<typeof createElement>[0]
type Wrap = (original: Wrapped, system: System) => (props: Props) => unknown

/** Removes a link inside of the button that expands an operation. Expanding writes the same address. */
const DeepLink: Wrap =
  (_, { React }) =>
  ({ text }) =>
    React.createElement('span', null, String(text))

/** Gives a select an accessible name. */
const select =
  (name: string): Wrap =>
  (original, { React }) =>
  (props) =>
    React.createElement(
      'label',
      { className: 'named-select' },
      React.createElement('span', null, name),
      React.createElement(original, props),
    )

type GetComponent = (name: string, isContainer?: boolean) => Wrapped

/** The library's layout has a second main landmark, and no heading between the page's and the operations'. */
const layout =
  ({ operations, lang }: Names) =>
  ({ React }: System) =>
  ({ getComponent }: { getComponent: GetComponent }) => {
    const draw = React.createElement
    return draw(
      'div',
      { className: 'swagger-ui' },
      draw(getComponent('SvgAssets')),
      draw(getComponent('InfoContainer', true)),
      draw('h2', { lang }, operations),
      draw(getComponent('FilterContainer', true)),
      draw(getComponent('errors', true)),
      draw('div', { className: 'wrapper' }, draw(getComponent('operations', true))),
    )
  }

/** `valueName`: the accessible name of selects. `operations`: the heading above the operations, in the language `lang`. */
type Names = { valueName: string; operations: string; lang: string }

const accessible = (names: Names) => (system: System) => ({
  wrapComponents: { DeepLink, Select: select(names.valueName) },
  components: { Operations: layout(names)(system) },
})
