#include "kernel/encoding.hpp"
#include "kernel/web_key.hpp"

#include <doctest/doctest.h>

using namespace hive;

namespace {

// RFC 7515, appendix A.2 and A.3: keys, signed text and signatures as published.
const std::string rsa_jwk =
    R"({"kty":"RSA","kid":"rsa","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddx)"
    R"(HmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGz)"
    R"(jb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3)"
    R"(qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp)"
    R"(oQ","e":"AQAB"})";
const std::string rsa_text =
    "eyJhbGciOiJSUzI1NiJ9."
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9"
    "pc19yb290Ijp0cnVlfQ";
const std::string rsa_signature =
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
    "O8W2Fp5jujG"
    "bds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_"
    "nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K"
    "0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-"
    "eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6"
    "LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
const std::string ec_jwk =
    R"({"kty":"EC","crv":"P-256","kid":"ec","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
    R"("y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})";
const std::string ec_text =
    "eyJhbGciOiJFUzI1NiJ9."
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9"
    "pc19yb290Ijp0cnVlfQ";
const std::string ec_signature =
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

bool verifies(
    const std::string& jwk, WebAlgorithm algorithm, std::string text,
    const std::string& signature) {
    const auto key = WebKey::from_jwk(parse_json(jwk)->as_object());
    REQUIRE(key.has_value());
    return key->verify(algorithm, bytes_of(text), *from_base64(signature, Base64::url));
}

} // namespace

TEST_CASE("the published signatures of RFC 7515 verify, and no changed text does") {
    CHECK(verifies(rsa_jwk, WebAlgorithm::rs256, rsa_text, rsa_signature));
    CHECK_FALSE(verifies(rsa_jwk, WebAlgorithm::rs256, rsa_text + "x", rsa_signature));
    CHECK(verifies(ec_jwk, WebAlgorithm::es256, ec_text, ec_signature));
    CHECK_FALSE(verifies(ec_jwk, WebAlgorithm::es256, ec_text + "x", ec_signature));
}

TEST_CASE("a key of one kind never serves another algorithm, and odd signatures are just wrong") {
    CHECK_FALSE(verifies(rsa_jwk, WebAlgorithm::es256, rsa_text, rsa_signature));
    CHECK_FALSE(verifies(ec_jwk, WebAlgorithm::rs256, ec_text, ec_signature));
    CHECK_FALSE(verifies(ec_jwk, WebAlgorithm::eddsa, ec_text, ec_signature));
    CHECK_FALSE(verifies(ec_jwk, WebAlgorithm::es256, ec_text, "AAAA"));
}

TEST_CASE("a key set is read leniently where keys are not ours and strictly where they are") {
    const auto keys = parse_web_keys(
        R"({"keys":[)" + rsa_jwk + "," + ec_jwk +
        R"(,{"kty":"oct","k":"AAAA"},{"kty":"RSA","n":"AQAB","e":"AQAB"},7,)"
        R"({"kty":"RSA","use":"enc","n":"AQAB","e":"AQAB"}]})");
    REQUIRE(keys.has_value());
    CHECK(keys->size() == 2);
    CHECK(keys->front().id() == "rsa");
    CHECK_FALSE(parse_web_keys("[]").has_value());
    CHECK_FALSE(parse_web_keys("{\"keys\":{}}").has_value());
    CHECK_FALSE(parse_web_keys("junk").has_value());
}

TEST_CASE("an algorithm that lets the token decide is not one") {
    CHECK(parse_web_algorithm("RS256").has_value());
    for (const char* name : {"none", "HS256", "rs256", ""}) CHECK_FALSE(parse_web_algorithm(name));
}
