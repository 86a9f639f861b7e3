/**
 * Programs of others that the tests run against a cluster, each at one version: where they come from and how they are fetched. Large ones are
 * left out where only the quick ones are asked for.
 *
 * @typedef {{ readonly name: string, readonly from: 'npm' | 'pypi' | 'maven' | 'go', readonly packages: readonly string[], readonly isLarge?: boolean }} Program
 */

/** Node itself as a package of npm, which some machines have no build of. */
const node = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** @type {readonly Program[]} */
export const programs = [
  { name: 'node-18', from: 'npm', packages: [`${node}@18.20.8`], isLarge: true },
  { name: 'node-22', from: 'npm', packages: [`${node}@22.23.3`], isLarge: true },
  { name: 'node-24', from: 'npm', packages: [`${node}@24.21.0`], isLarge: true },
  { name: 'test-runners', from: 'npm', packages: ['jest@30.5.2', 'mocha@12.0.3', 'vitest@4.1.11'] },
  { name: 'elasticdump', from: 'npm', packages: ['elasticdump@6.125.1'] },
  { name: 'searchkit', from: 'npm', packages: ['@searchkit/api@4.14.0'] },
  { name: 'winston-elasticsearch', from: 'npm', packages: ['winston-elasticsearch@0.19.0', 'winston@3.17.0'] },
  { name: 'elasticsearch-dsl', from: 'pypi', packages: ['elasticsearch-dsl==7.4.1', 'elasticsearch==7.17.12'] },
  { name: 'elasticsearch-curator', from: 'pypi', packages: ['elasticsearch-curator==8.0.21'] },
  {
    name: 'spring-data-elasticsearch',
    from: 'maven',
    packages: [
      'org.springframework.data:spring-data-elasticsearch:4.4.18',
      'org.springframework:spring-web:5.3.31',
      'org.slf4j:slf4j-nop:1.7.36',
    ],
  },
  {
    name: 'micrometer',
    from: 'maven',
    packages: ['io.micrometer:micrometer-registry-elastic:1.12.13', 'org.slf4j:slf4j-nop:1.7.36'],
  },
  {
    name: 'hibernate-search',
    from: 'maven',
    packages: [
      'org.hibernate.search:hibernate-search-mapper-pojo-standalone:7.2.3.Final',
      'org.hibernate.search:hibernate-search-backend-elasticsearch:7.2.3.Final',
    ],
  },
  {
    name: 'elasticsearch-java',
    from: 'maven',
    packages: [
      'co.elastic.clients:elasticsearch-java:8.17.0',
      'com.fasterxml.jackson.core:jackson-databind:2.17.0',
      'org.slf4j:slf4j-nop:1.7.36',
    ],
  },
  {
    name: 'zipkin',
    from: 'maven',
    packages: [
      'io.zipkin.zipkin2:zipkin-storage-elasticsearch:3.4.0',
      'io.zipkin.zipkin2:zipkin-tests:3.4.0',
      'org.junit.jupiter:junit-jupiter:5.10.1',
      'org.junit.platform:junit-platform-console:1.10.1',
      'org.assertj:assertj-core:3.24.2',
      'org.slf4j:slf4j-nop:1.7.36',
    ],
    isLarge: true,
  },
  {
    name: 'rest-high-level-client',
    from: 'maven',
    packages: ['org.elasticsearch.client:elasticsearch-rest-high-level-client:7.17.28', 'org.slf4j:slf4j-nop:1.7.36'],
  },
  {
    name: 'langchain',
    from: 'pypi',
    packages: ['langchain-elasticsearch==0.4.0', 'langchain-community==0.3.31', 'opensearch-py==2.8.0'],
    isLarge: true,
  },
  { name: 'elastalert2', from: 'pypi', packages: ['elastalert2==2.19.0', 'pytz==2024.1'], isLarge: true },
  { name: 'jaeger', from: 'go', packages: ['github.com/jaegertracing/jaeger@v1.57.0'], isLarge: true },
  {
    name: 'wagtail',
    from: 'pypi',
    packages: ['wagtail==6.3.5', 'elasticsearch==7.17.12', 'jinja2==3.1.4', 'freezegun==1.5.1'],
    isLarge: true,
  },
];
