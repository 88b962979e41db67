/* Without a configuration of its own this application would take the product's, which builds no routes. */
export default { experimental: { turbopackFileSystemCacheForBuild: false } }
