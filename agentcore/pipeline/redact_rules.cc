#include "agentcore/pipeline/redact_rules.h"

#include <array>

namespace paddock::agentcore {
namespace {

using enum Alphabet;
constexpr Edge kEdge = Edge::kWord;

// By what services document, or show when they make one.
constexpr PrefixRule kPrefixes[] = {
    // code hosts
    {"github-token", "ghp_", kAlnum, 30}, {"github-token", "gho_", kAlnum, 30}, {"github-token", "ghu_", kAlnum, 30},
    {"github-token", "ghs_", kAlnum, 30}, {"github-token", "ghr_", kAlnum, 30}, {"github-token", "github_pat_", kWord, 36},
    {"gitlab-token", "glpat-", kDotted, 18}, {"gitlab-token", "gloas-", kWord, 20}, {"gitlab-token", "gldt-", kWord, 18},
    {"gitlab-token", "glrt-", kDotted, 18}, {"gitlab-token", "glrtr-", kWord, 18}, {"gitlab-token", "glcbt-", kWord, 18},
    {"gitlab-token", "glptt-", kWord, 20}, {"gitlab-token", "glft-", kWord, 18}, {"gitlab-token", "glimt-", kWord, 18},
    {"gitlab-token", "glagent-", kWord, 30}, {"gitlab-token", "glsoat-", kWord, 18}, {"gitlab-token", "glffct-", kWord, 18},
    {"gitlab-token", "gr1348941", kWord, 18}, {"bitbucket-token", "atbb", kAlnum, 28, 0, kEdge}, {"atlassian-token", "atatt3", kBase64, 60},
    {"atlassian-token", "atctt3", kBase64, 60}, {"sourcegraph-token", "sgp_", kWord, 36, 0, kEdge}, {"gitea-token", "gta_", kHex, 40, 40, kEdge},
    // language models
    {"openai-key", "sk-proj-", kWord, 30}, {"openai-key", "sk-svcacct-", kWord, 30}, {"openai-key", "sk-admin-", kWord, 30},
    {"openai-key", "sk-", kWord, 20, 0, kEdge}, {"anthropic-key", "sk-ant-", kWord, 30}, {"openrouter-key", "sk-or-", kWord, 30},
    {"xai-key", "xai-", kWord, 40, 0, kEdge}, {"perplexity-key", "pplx-", kAlnum, 32, 0, kEdge}, {"groq-key", "gsk_", kAlnum, 32, 0, kEdge},
    {"huggingface-token", "hf_", kAlnum, 30, 0, kEdge}, {"huggingface-token", "api_org_", kAlnum, 30, 0, kEdge}, {"replicate-token", "r8_", kAlnum, 30, 0, kEdge},
    {"nvidia-key", "nvapi-", kWord, 40, 0, kEdge}, {"fireworks-key", "fw_", kAlnum, 20, 0, kEdge}, {"together-key", "tgp_v1_", kWord, 30},
    {"voyage-key", "pa-", kWord, 40, 0, kEdge}, {"elevenlabs-key", "sk_", kHex, 40, 0, kEdge}, {"tavily-key", "tvly-", kWord, 28, 0, kEdge},
    {"jina-key", "jina_", kWord, 40, 0, kEdge}, {"langsmith-key", "lsv2_pt_", kWord, 32}, {"langsmith-key", "lsv2_sk_", kWord, 32},
    {"pinecone-key", "pcsk_", kWord, 40, 0, kEdge}, {"runpod-key", "rpa_", kAlnum, 36, 0, kEdge}, {"deepgram-key", "dg_", kHex, 40, 40, kEdge},
    {"openai-key", "sess-", kAlnum, 40, 40, kEdge}, {"langfuse-key", "sk-lf-", kWord, 36},
    // clouds
    {"aws-key-id", "akia", kUpper, 16, 16, kEdge}, {"aws-key-id", "asia", kUpper, 16, 16, kEdge}, {"aws-key-id", "abia", kUpper, 16, 16, kEdge},
    {"aws-key-id", "acca", kUpper, 16, 16, kEdge}, {"aws-mws", "amzn.mws.", kWord, 36}, {"google-api-key", "aiza", kWord, 35, 0, kEdge},
    {"google-oauth-secret", "gocspx-", kWord, 24}, {"google-oauth-token", "ya29.", kDotted, 30}, {"google-oauth-token", "1//0", kWord, 30, 0, kEdge},
    {"alibaba-key", "ltai", kAlnum, 12, 24, kEdge}, {"tencent-key", "akid", kAlnum, 32, 36, kEdge}, {"digitalocean-token", "dop_v1_", kHex, 40},
    {"digitalocean-token", "doo_v1_", kHex, 40}, {"digitalocean-token", "dor_v1_", kHex, 40}, {"heroku-key", "hrku-", kWord, 30, 0, kEdge},
    {"netlify-token", "nfp_", kAlnum, 32, 0, kEdge}, {"netlify-token", "nfc_", kAlnum, 32, 0, kEdge}, {"netlify-token", "nfo_", kAlnum, 32, 0, kEdge},
    {"render-key", "rnd_", kAlnum, 28, 0, kEdge}, {"flyio-token", "fm1r_", kBase64, 60}, {"flyio-token", "fm2_", kBase64, 60}, {"flyio-token", "fo1_", kWord, 40, 0, kEdge},
    {"vercel-token", "vcp_", kAlnum, 24, 0, kEdge}, {"vercel-token", "vercel_blob_rw_", kWord, 30}, {"supabase-key", "sbp_", kHex, 36, 0, kEdge},
    {"supabase-key", "sb_secret_", kWord, 20, 0, kEdge}, {"planetscale-key", "pscale_tkn_", kDotted, 30}, {"planetscale-key", "pscale_pw_", kDotted, 30},
    {"planetscale-key", "pscale_oauth_", kDotted, 30}, {"neon-key", "napi_", kAlnum, 40, 0, kEdge}, {"databricks-token", "dapi", kHex, 32, 40, kEdge},
    {"vault-token", "hvs.", kWord, 24, 0, kEdge}, {"vault-token", "hvb.", kWord, 24, 0, kEdge}, {"vault-token", "hvr.", kWord, 24, 0, kEdge},
    {"doppler-token", "dp.pt.", kAlnum, 40, 0, kEdge}, {"doppler-token", "dp.ct.", kAlnum, 40, 0, kEdge}, {"doppler-token", "dp.st.", kDotted, 40, 0, kEdge},
    {"doppler-token", "dp.sa.", kAlnum, 40, 0, kEdge}, {"doppler-token", "dp.scim.", kAlnum, 40, 0, kEdge}, {"pulumi-token", "pul-", kHex, 40, 0, kEdge},
    {"1password-token", "ops_eyj", kBase64, 60, 0, kEdge}, {"tailscale-key", "tskey-", kWord, 20, 0, kEdge}, {"infracost-key", "ico-", kAlnum, 32, 0, kEdge},
    {"cloudflare-key", "v1.0-", kWord, 100, 0, kEdge}, {"scaleway-key", "scw", kUpper, 17, 17, kEdge}, {"yandex-key", "aqvn", kWord, 35, 38, kEdge},
    {"yandex-token", "t1.", kDotted, 80, 0, kEdge}, {"oracle-key", "ocid1.credential", kDotted, 40},
    // packages, builds
    {"npm-token", "npm_", kAlnum, 32, 0, kEdge}, {"pypi-token", "pypi-ag", kWord, 40}, {"rubygems-key", "rubygems_", kHex, 40}, {"crates-token", "cio", kAlnum, 32, 32, kEdge},
    {"docker-token", "dckr_pat_", kWord, 20}, {"docker-token", "dckr_oat_", kWord, 20}, {"nuget-key", "oy2", kAlnum, 43, 43, kEdge}, {"jfrog-token", "akcp", kAlnum, 64, 80, kEdge},
    {"jfrog-token", "cmvmd", kAlnum, 59, 70, kEdge}, {"circleci-token", "ccipat_", kWord, 40}, {"circleci-token", "cciprj_", kWord, 40}, {"buildkite-token", "bkua_", kAlnum, 36, 0, kEdge},
    {"sonar-token", "squ_", kHex, 36, 0, kEdge}, {"sonar-token", "sqp_", kHex, 36, 0, kEdge}, {"sonar-token", "sqa_", kHex, 36, 0, kEdge}, {"clojars-token", "clojars_", kHex, 50},
    {"prefect-key", "pnu_", kAlnum, 36, 36, kEdge}, {"prefect-key", "pnb_", kAlnum, 36, 36, kEdge}, {"postman-key", "pmak-", kWord, 50, 0, kEdge}, {"snyk-token", "snyk_", kWord, 40, 0, kEdge},
    {"codecov-token", "cov_", kAlnum, 32, 0, kEdge}, {"travis-token", "trv_", kAlnum, 20, 0, kEdge},
    // watching
    {"sentry-token", "sntryu_", kHex, 40}, {"sentry-token", "sntrys_", kBase64, 40}, {"sentry-token", "sntrya_", kHex, 40}, {"newrelic-key", "nrak-", kUpper, 20, 0, kEdge},
    {"newrelic-key", "nrii-", kWord, 24, 0, kEdge}, {"newrelic-key", "nrjs-", kHex, 19, 0, kEdge}, {"newrelic-key", "nraa-", kHex, 24, 0, kEdge}, {"newrelic-key", "nrbr-", kHex, 19, 0, kEdge},
    {"grafana-token", "glsa_", kWord, 30, 0, kEdge}, {"grafana-token", "glc_", kBase64, 32, 0, kEdge}, {"honeycomb-key", "hcaik_", kAlnum, 32, 0, kEdge}, {"honeycomb-key", "hcxik_", kAlnum, 32, 0, kEdge},
    {"dynatrace-token", "dt0c01.", kDotted, 60}, {"dynatrace-token", "dt0s", kDotted, 60, 0, kEdge}, {"posthog-key", "phx_", kAlnum, 32, 0, kEdge}, {"axiom-token", "xaat-", kWord, 36, 0, kEdge},
    {"axiom-token", "xapt-", kWord, 36, 0, kEdge}, {"betterstack-token", "btok_", kAlnum, 24, 0, kEdge},
    // money
    {"stripe-key", "sk_live_", kAlnum, 16}, {"stripe-key", "sk_test_", kAlnum, 16}, {"stripe-key", "rk_live_", kAlnum, 16}, {"stripe-key", "rk_test_", kAlnum, 16},
    {"stripe-webhook-secret", "whsec_", kBase64, 24}, {"square-token", "sq0atp-", kWord, 20}, {"square-token", "sq0csp-", kWord, 40}, {"square-token", "eaaa", kWord, 58, 0, kEdge},
    {"paypal-token", "access_token$production$", kWord, 16}, {"paypal-token", "access_token$sandbox$", kWord, 16}, {"flutterwave-key", "flwseck-", kWord, 30}, {"flutterwave-key", "flwseck_test-", kWord, 12},
    {"coinbase-key", "cb-sk-", kWord, 30}, {"plaid-token", "access-production-", kWord, 36}, {"plaid-token", "access-development-", kWord, 36}, {"plaid-token", "access-sandbox-", kWord, 36},
    {"gocardless-token", "live_", kWord, 38, 42, kEdge}, {"easypost-key", "ezak", kAlnum, 54, 54, kEdge}, {"easypost-key", "eztk", kAlnum, 54, 54, kEdge}, {"shippo-token", "shippo_live_", kHex, 40},
    {"shippo-token", "shippo_test_", kHex, 40}, {"duffel-token", "duffel_live_", kWord, 40}, {"duffel-token", "duffel_test_", kWord, 40}, {"razorpay-key", "rzp_live_", kAlnum, 14},
    // people and mail
    {"slack-token", "xoxb-", kWord, 20}, {"slack-token", "xoxp-", kWord, 20}, {"slack-token", "xoxa-", kWord, 20}, {"slack-token", "xoxr-", kWord, 20}, {"slack-token", "xoxs-", kWord, 20},
    {"slack-token", "xoxo-", kWord, 20}, {"slack-token", "xoxc-", kWord, 20}, {"slack-token", "xoxd-", kBase64, 20}, {"slack-token", "xoxe-", kWord, 20}, {"slack-token", "xoxe.xox", kDotted, 20}, {"slack-token", "xapp-", kWord, 20},
    {"sendgrid-key", "sg.", kDotted, 60, 0, kEdge}, {"mailgun-key", "key-", kHex, 32, 32, kEdge}, {"brevo-key", "xkeysib-", kWord, 60}, {"brevo-key", "xsmtpsib-", kWord, 60},
    {"resend-key", "re_", kWord, 24, 40, kEdge}, {"twilio-key", "sk", kHex, 32, 32, kEdge}, {"notion-token", "ntn_", kAlnum, 30, 0, kEdge}, {"notion-token", "secret_", kAlnum, 40, 0, kEdge},
    {"linear-key", "lin_api_", kAlnum, 30}, {"linear-key", "lin_oauth_", kAlnum, 30}, {"figma-token", "figd_", kWord, 30, 0, kEdge}, {"figma-token", "figo_", kWord, 30, 0, kEdge},
    {"typeform-token", "tfp_", kDotted, 40, 0, kEdge}, {"shopify-token", "shpat_", kHex, 28}, {"shopify-token", "shpca_", kHex, 28}, {"shopify-token", "shppa_", kHex, 28}, {"shopify-token", "shpss_", kHex, 28},
    {"contentful-token", "cfpat-", kWord, 40, 0, kEdge}, {"apify-token", "apify_api_", kAlnum, 30}, {"adafruit-key", "aio_", kAlnum, 28, 28, kEdge},
    {"clickup-token", "pk_", kUpper, 36, 0, kEdge}, {"readme-key", "rdme_", kAlnum, 60}, {"dropbox-token", "sl.", kWord, 100, 0, kEdge}, {"facebook-token", "eaac", kAlnum, 80, 0, kEdge},
    {"facebook-token", "eaa", kAlnum, 100, 0, kEdge}, {"instagram-token", "igqv", kWord, 80, 0, kEdge}, {"mapbox-token", "sk.eyj", kDotted, 60, 0, kEdge}, {"frameio-token", "fio-u-", kBase64, 50, 0, kEdge},
    {"wakatime-key", "waka_", kWord, 36, 36, kEdge}, {"pipedream-key", "pd_", kHex, 32, 32, kEdge}, {"retool-token", "retool_", kWord, 26, 0, kEdge},
    // keys
    {"age-key", "age-secret-key-1", kUpper, 50},
};

// Words of one pattern.
template <size_t N>
using Words = std::array<std::string_view, N>;
constexpr Words<1> kJwt{"eyj"};
constexpr Words<2> kAuthHeader{"authorization", "bearer "};
constexpr Words<1> kBasic{"basic "};
constexpr Words<2> kUrl{"://", "%3a%2f%2f"};
constexpr Words<1> kSas{"sig="};
constexpr Words<1> kSignature{"x-amz-signature="};
constexpr Words<4> kQuery{"?key=", "&key=", "?apikey=", "?api_key="};
constexpr Words<4> kHook{"hooks.slack.com", "/api/webhooks/", "webhook.office.com", "hooks.zapier.com"};
constexpr Words<4> kUser{" -u ", "--user ", "--user=", "-u\""};
constexpr Words<6> kDashP{"sshpass", "mysql", "mariadb", "login", "redis-cli", "ldapsearch"};
constexpr Words<2> kPass{"pass:", "-pass "};
constexpr Words<1> kNetrc{"login "};
constexpr Words<2> kSql{"identified", "password '"};
constexpr Words<9> kCrypt{"$1$", "$5$", "$6$", "$2a$", "$2b$", "$2y$", "$y$", "$apr1$", "$argon2"};
constexpr Words<2> kJwk{"\"kty\"", "\"kty\\\""};
constexpr Words<1> kRsaXml{"rsakeyvalue"};
constexpr Words<3> kAwsPair{"akia", "asia", "aws"};
constexpr Words<1> kAzure{"q~"};
constexpr Words<1> kTelegram{":aa"};
constexpr Words<1> kFcm{":apa91"};
constexpr Words<1> kAirtable{"pat"};
constexpr Words<1> kAtlas{".atlasv1."};
constexpr Words<1> kMailchimp{"-us"};
constexpr Words<3> kLaunch{"sdk-", "mob-", "api-"};
constexpr Words<2> kDiscord{"discord", "bot "};
constexpr Words<3> kDockerAuth{"\"auth\"", "_auth", "\\\"auth\\\""};
constexpr Words<2> kPgpass{":5432:", ":*:"};
constexpr Words<1> kHubspot{"pat-"};
constexpr Words<1> kCookie{"cookie"};
constexpr Words<1> kOnePassword{"a3-"};

constexpr PatternRule kPatterns[] = {
    {"jwt", kJwt, R"((eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+){0,2}))", Check::kNone},
    {"jwt", kJwt, R"((eyJ[A-Za-z0-9_-]{8,}\.\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}))", Check::kNone},
    {"authorization", kAuthHeader, R"re((?i)authorization["'\]]*\s*[:=,]\s*[\\"'`]*(?:[a-z0-9-]{2,20}\s+(?:token=)?)?[\\"']*([A-Za-z0-9_.+/=~%:|-]{16,}))re"},
    {"bearer-token", kAuthHeader, R"re((?i)\bbearer\s+[\\"']*([A-Za-z0-9_.+/=~%:|-]{16,}))re"},
    {"basic-auth", kBasic, R"((?i)\bbasic\s+([A-Za-z0-9+/_-]{8,}={0,2}))", Check::kBase64},
    // user:password@host; the password may hold anything but a space, a slash and quotes.
    {"url-password", kUrl, R"((?i)(?::|%3a)(?://|%2f%2f)(?:[^\s/@:'"<>`]|%2f){0,128}?(?::|%3a)([^\s/'"<>`]{3,256})@[\w\[{$-])", Check::kHidden},
    {"url-token", kUrl, R"((?i)(?::|%3a)(?://|%2f%2f)([\w.~-]{20,255})(?::x-oauth-basic)?@)"},
    {"sas-signature", kSas, R"((?i)[?&;"']sig=([A-Za-z0-9%+/_-]{30,}=*))"},
    {"url-signature", kSignature, R"((?i)x-amz-signature=([0-9a-f]{64}))", Check::kNone},
    {"url-token", kQuery, R"((?i)[?&](?:key|apikey|api_key)=([0-9a-f]{32,128})\b)", Check::kNone},
    {"webhook", kHook, R"((?i)hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,}))", Check::kNone},
    {"webhook", kHook, R"((?i)/api/webhooks/(\d{10,}/[\w-]{40,}))", Check::kNone},
    {"webhook", kHook, R"((?i)webhook\.office\.com/webhookb2/([\w@/-]{40,}))", Check::kNone},
    {"webhook", kHook, R"((?i)hooks\.zapier\.com/hooks/catch/(\d+/\w{5,}))", Check::kNone},
    {"password", kUser, R"re((?i)\b(?:curl|wget|http|https|xh)\b.*?\s(?:-u|--user)[= ]*["']?[^\s:"']{1,128}:([^\s"']{4,256}))re", Check::kHidden},
    {"password", kDashP, R"re(\bsshpass\s+-p\s*["']?([^\s"']{4,256}))re", Check::kHidden},
    {"password", kDashP, R"re(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b.*?\s-p["']?([^\s"']{4,256}))re", Check::kHidden},
    {"password", kDashP, R"re(\blogin\b.*?\s(?:-p|--password)[ =]["']?([^\s"']{4,256}))re", Check::kHidden},
    {"password", kDashP, R"re(\bredis-cli\b.*?\s-a\s+["']?([^\s"']{4,256}))re", Check::kHidden},
    {"password", kDashP, R"re(\bldapsearch\b.*?\s-w\s+["']?([^\s"']{4,256}))re", Check::kHidden},
    {"password", kPass, R"re(\bpass:([^\s"':]{6,256}))re", Check::kPassword},
    {"password", kNetrc, R"re((?i)\blogin\s+\S{1,128}\s+password\s+["']?([^\s"']{4,256}))re", Check::kHidden},
    {"password", kSql, R"re((?i)\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?["']([^"'\s]{4,256})["'])re", Check::kHidden},
    {"password", kSql, R"re((?i)\bpassword\s+'([^'\s]{4,256})')re", Check::kHidden},
    {"password-hash", kCrypt, R"((\$(?:1|5|6|2[aby]|y|apr1|argon2(?:id|i|d))\$[A-Za-z0-9./$,=+_-]{20,}))", Check::kNone},
    {"jwk", kJwk, R"re("(?:k|d|p|q|dp|dq|qi)\\?"\s*:\s*\\?"([A-Za-z0-9_-]{20,}))re", Check::kToken, Scope::kNearLines},
    {"private-key", kRsaXml, R"re((?i)<(?:D|P|Q|DP|DQ|InverseQ)>\s*([A-Za-z0-9+/=]{20,})\s*</)re", Check::kToken, Scope::kNearLines},
    {"aws-secret-key", kAwsPair, R"re(\b(?:AKIA|ASIA)[A-Z0-9]{16}["']?[\s,:;|]+["']?([A-Za-z0-9/+]{40})\b)re"},
    {"azure-client-secret", kAzure, R"(([A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}))", Check::kNone},
    {"telegram-token", kTelegram, R"((?:^|[^0-9])(\d{8,10}:AA[A-Za-z0-9_-]{32,33}))", Check::kNone},
    {"fcm-key", kFcm, R"(([A-Za-z0-9_-]{7,}:APA91[A-Za-z0-9_-]{80,}))", Check::kNone},
    {"airtable-token", kAirtable, R"(\b(pat[A-Za-z0-9]{14}\.[a-f0-9]{50,}))", Check::kNone},
    {"terraform-token", kAtlas, R"(([A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_=-]{40,}))", Check::kNone},
    {"mailchimp-key", kMailchimp, R"(\b([0-9a-f]{32}-us[0-9]{1,2})\b)", Check::kNone},
    {"launchdarkly-key", kLaunch, R"(\b((?:sdk|mob|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b)", Check::kNone},
    {"hubspot-token", kHubspot, R"(\b(pat-(?:na|eu)\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b)", Check::kNone},
    {"discord-token", kDiscord, R"(\b([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,40}))"},
    {"registry-auth", kDockerAuth, R"re((?:\\?"auth\\?"|\b_auth)\s*[:=]\s*\\?"?([A-Za-z0-9+/]{8,}={0,2}))re", Check::kBase64},
    {"password", kPgpass, R"((?m)^[\w.*-]+:(?:5432|\*):[\w*-]+:[\w*-]+:(\S{4,256})$)", Check::kHidden},
    {"session-cookie", kCookie, R"((?i)cookie["']?\s*[:=].*?(?:sess|sid|auth|token|remember)[\w.-]{0,32}=([A-Za-z0-9%._~+/-]{20,}))"},
    {"1password-key", kOnePassword, R"(\b(A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}))", Check::kNone},
};

constexpr std::string_view kNames[] = {"passw", "passphrase", "passcode", "pwd", "pass", "secret", "token", "key", "credential", "auth", "jwt", "cred", "bearer", "psw", "pw", "pat", "sas"};

}  // namespace

std::span<const PrefixRule> PrefixRules() { return kPrefixes; }
std::span<const PatternRule> PatternRules() { return kPatterns; }
std::span<const std::string_view> NameWords() { return kNames; }

}  // namespace paddock::agentcore
